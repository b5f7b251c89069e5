#!/usr/bin/env bash
# Checks the algorithms that the server offers with ssh-audit. The audit must have no failure, and no warning except
# for algorithms that are newer than ssh-audit.
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
ssh-audit -n -p "${address##*:}" 127.0.0.1 >"$work/audit" 2>&1 || true # it fails for warnings, also those about new algorithms
has '^\(gen\) banner: SSH-2.0-Notakto$'
has '^\(kex\) curve25519-sha256 '
has '^\(kex\) mlkem768x25519-sha256 '
has '^\(kex\) kex-strict-s-v00@openssh.com ' # against the Terrapin attack
has '^\(key\) ssh-ed25519 '
has '^\(enc\) chacha20-poly1305@openssh.com '
has '^\(mac\) hmac-sha2-256-etm@openssh.com '
if grep -F '[fail]' "$work/audit"; then complain 'the audit reports a failure'; fi
if grep -F '[warn]' "$work/audit" | grep -Ev "^\(kex\) ($newer) +-- \[warn\] unknown algorithm$"; then complain 'the audit warns'; fi
stop_server
say "$(grep -c '^(kex)\|^(key)\|^(enc)\|^(mac)' "$work/audit") algorithms, no failure, no warning"
