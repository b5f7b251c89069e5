#!/usr/bin/env bash
# The server is attacked in every way that a client can, while honest people play: the short run. The long one is in docs/testing.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go vet -tags hostile ./cmd/hostile/...
go test -tags hostile ./cmd/hostile/...
go build -o "$work/notakto" ./cmd/notakto
go build -tags hostile -o "$work/hostile" ./cmd/hostile
timeout 330 "$work/hostile" -binary "$work/notakto"
