#!/usr/bin/env bash
# The server is attacked in every way that a client can, while honest people play: the short run. The long one is in docs/benchmarks.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -tags attack ./internal/attack/...
go build -o "$work/notakto" ./cmd/notakto
go build -tags attack -o "$work/attack" ./internal/attack
# The p99 of thirty logins is the slowest of them, and what else the machine does is unknown: what fails is tried twice
# more, and has failed if it fails each time.
failed=
for _ in 1 2 3; do
  status=0
  timeout 330 "$work/attack" -binary "$work/notakto" ${failed:+-case "$failed"} | tee "$work/out" || status=$?
  failed=$(sed -n 's/^FAIL \([^ ]*\).*/\1/p' "$work/out" | paste -sd,)
  [ -n "$failed" ] || break
  echo "attack: failed: $failed"
done
exit "$status"
