#!/usr/bin/env bash
# Checks the page on the web in headless Chromium, at two widths and in both color schemes: no message on the console,
# no request to another host, at most 40,000 bytes, nothing wider than the window. axe-core must find no serious fault
# of accessibility. The screenshots go to $ARTEFACTS, if set.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh

readonly axe=axe-core@4.14.1 sum=e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745

if ! command -v chromium >/dev/null; then
  say 'install chromium'
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 chromium fonts-dejavu-core
fi

build
open_server --public-address play.example.org:2222 --web-listen 127.0.0.1:0 --web-source https://example.org/notakto
web=$(sed -n 's/.*msg=ready .* web=\(127.0.0.1:[0-9]*\).*/\1/p' "$work/log")

checkers=()
if command -v npm >/dev/null && (cd "$work" && npm pack --silent "$axe" >/dev/null); then
  sha256sum -c --quiet <<<"$sum  $work/${axe/@/-}.tgz"
  tar -xzf "$work/${axe/@/-}.tgz" -C "$work" package/axe.min.js
  checkers=("$work/package/axe.min.js")
else
  say "NOT CHECKED: accessibility, because npm cannot get $axe here"
fi

pictures=${ARTEFACTS:-$work}
mkdir -p "$pictures"
timeout 120 python3 .ci/e2e/lib/browser.py "http://$web/" "$pictures" "${checkers[@]}"
stop_server
say "all passed in $SECONDS s"
