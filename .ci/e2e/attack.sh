#!/usr/bin/env bash
# Attacks the server while bots play, in the ways that only load shows. TestNoClientDoesHarm of sshapp has the others.
# docs/benchmarks.md has the long run.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -tags attack ./internal/attack/...
go build -o "$work/notakto" ./cmd/notakto
go build -tags attack -o "$work/attack" ./internal/attack
# The p99 of thirty logins is the slowest login, and other work on the machine can delay one. Failed cases are repeated,
# with three runs in all. A run without its last line, because it took too long or the undisturbed server failed, is
# repeated whole.
failed=
for _ in 1 2 3; do
  status=0
  timeout 330 "$work/attack" -binary "$work/notakto" ${failed:+-case "$failed"} | tee "$work/out" || status=$?
  [ "$status" != 0 ] || break
  failed=
  if grep -q '^[0-9]* attacks, [0-9]* failed$' "$work/out"; then
    failed=$(sed -n 's/^FAIL \([^ ]*\).*/\1/p' "$work/out" | paste -sd,)
  fi
  echo "attack: failed: ${failed:-the run}"
done
exit "$status"
