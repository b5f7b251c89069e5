#!/usr/bin/env bash
# The server is attacked in every way that a client can, while honest people play: the short run. The long one is in docs/testing.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -tags attack ./internal/attack/...
go build -o "$work/notakto" ./cmd/notakto
go build -tags attack -o "$work/attack" ./internal/attack
timeout 330 "$work/attack" -binary "$work/notakto"
