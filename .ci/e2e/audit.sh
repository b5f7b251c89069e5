#!/usr/bin/env bash
# What the server offers at a key exchange, in ssh-audit's judgement: no failure, and no warning but that it does not know what is newer
# than itself.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh

readonly newer='mlkem768x25519-sha256|kex-strict-s-v00@openssh.com'

has() { grep -Eq -- "$1" "$work/audit" || complain "the audit has no /$1/"; }
complain() {
  cat "$work/audit" >&2
  fail "$1"
}

build
open_server
say ssh-audit
ssh-audit -n -p "${address##*:}" 127.0.0.1 >"$work/audit" 2>&1 || true # it has a status for warnings, and so for what it does not know
has '^\(gen\) banner: SSH-2.0-Notakto$'
has '^\(kex\) curve25519-sha256 '
has '^\(kex\) mlkem768x25519-sha256 '
has '^\(kex\) kex-strict-s-v00@openssh.com ' # against what is cut out of the first packets (Terrapin)
has '^\(key\) ssh-ed25519 '
has '^\(enc\) chacha20-poly1305@openssh.com '
has '^\(mac\) hmac-sha2-256-etm@openssh.com '
if grep -F '[fail]' "$work/audit"; then complain 'the audit reports a failure'; fi
if grep -F '[warn]' "$work/audit" | grep -Ev "^\(kex\) ($newer) +-- \[warn\] unknown algorithm$"; then complain 'the audit warns'; fi
stop_server
say "$(grep -c '^(kex)\|^(key)\|^(enc)\|^(mac)' "$work/audit") algorithms, no failure, no warning"
