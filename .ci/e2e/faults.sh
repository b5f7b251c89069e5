#!/usr/bin/env bash
# The server is killed, restarted and left without power under bots that play, alone and as three nodes, for a minute or two. The long runs are in docs/testing.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/notakto" ./cmd/notakto
go build -o "$work/faults" ./cmd/faults
faults() { timeout 130 "$work/faults" "$@" -binary "$work/notakto"; }

faults kill -kills 20 -players 16
faults begin -kills 20 -settle 30s
faults rolling -for 12s -every 3s -players 24
# Who was to play somebody and came back elsewhere too early to be told of it loses by the grace, which has to pass before all is over.
faults cluster -shared -for 15s -every 5s -cuts 0 -players 30 -grace 15s -settle 60s

# A machine that loses its power, on a disk of its own: for root, where a file can be mounted.
mountable() {
  truncate -s 8M "$work/image" && mkdir "$work/disk" && mkfs.ext4 -q -F "$work/image" &&
    mount -t ext4 -o loop "$work/image" "$work/disk" && umount "$work/disk"
}
if mountable; then faults power -kills 10 -players 16; else echo 'NOT CHECKED: power cuts, for nothing can be mounted here'; fi

# A full disk, on small file systems of their own: for root, else these say that they were left out.
go test -tags faults -run Full ./match/journal
