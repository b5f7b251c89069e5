#!/usr/bin/env bash
# The server is killed, restarted, cut off and left without power, disk or NATS under bots that play, for a few minutes. docs/testing.md has the
# long runs.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/notakto" ./cmd/notakto
go build -o "$work/chaos" ./internal/chaos
chaos() { timeout 300 "$work/chaos" "$@"; }
ours=(-binary "$work/notakto")

# only_stalled OUTPUT: the only fault is how long players waited. What else the machine does has a part in that, so the
# run is made once more.
only_stalled() { grep -q '^  FAULTS stalled' "$1" && ! grep '^  FAULTS' "$1" | grep -qv stalled; }

at_once() { # at_once NAME COMMAND...: runs it in the background; its output is shown when it ends
  local name=$1
  shift
  {
    for _ in 1 2; do
      status=0
      "$@" >"$work/$name.out" 2>&1 || status=$?
      only_stalled "$work/$name.out" || break
    done
    echo "$status" >"$work/$name.status"
  } &
  running+=("$name")
}
wait_all() {
  wait
  for name in "${running[@]}"; do
    cat "$work/$name.out"
    [ "$(cat "$work/$name.status")" = 0 ] || { echo "chaos: $name failed" >&2; exit 1; }
  done
  running=()
}
running=()

# A machine that loses its power, on a disk of its own: for root, where a file can be mounted.
mountable() {
  truncate -s 8M "$work/image" && mkdir "$work/disk" && mkfs.ext4 -q -F "$work/image" &&
    mount -t ext4 -o loop "$work/image" "$work/disk" && umount "$work/disk"
}
power() {
  if mountable; then chaos power "${ours[@]}" -kills 10 -players 16; else echo 'NOT CHECKED: power cuts, for nothing can be mounted here'; fi
}

# Hardly one of these limits how long a player may wait, and most of their time they do: for a node, for matches to end, for ratings to rest. The bots
# of single servers, which play without a pause, take what is left of the machine.
singles() {
  chaos begin "${ours[@]}" -kills 20 -settle 30s && power && chaos rolling "${ours[@]}" -for 12s -every 3s -players 24
}
# A player who was paired, and came back at another node too early to be told of it, loses by the grace period, which has
# to pass before all is over.
clusters() {
  chaos cluster "${ours[@]}" -shared -for 15s -every 5s -cuts 0 -players 30 -grace 15s -settle 60s &&
    chaos drain "${ours[@]}" -every 2s -players 24 -think 100ms
}
few=(-players 24 -spectators 0 -think 200ms -settle 60s)
at_once kill chaos kill "${ours[@]}" -kills 20 -players 16 -rated
at_once singles singles
at_once clusters clusters
at_once members chaos members "${ours[@]}" "${few[@]}" -every 11s
wait_all

if unshare --net true 2>/dev/null; then
  at_once partition chaos partition "${ours[@]}" "${few[@]}" -cuts 1 -cut 10s -every 11s
else
  echo 'NOT CHECKED: dropped packets, for no network namespace can be made here'
fi
at_once nats1 chaos nats "${ours[@]}" -kills 1 -every 16s
at_once replace chaos replace "${ours[@]}" "${few[@]}" -every 11s
wait_all
at_once nats3 chaos nats "${ours[@]}" -nats 3 -kills 1 -every 16s
at_once clocks chaos clocks "${few[@]}" -kills 1 -every 16s # built anew, with a clock that can be shifted
wait_all

# A full disk, on small file systems of their own: for root, else these say that they were left out.
go test -tags chaos -run Full ./match/journal
