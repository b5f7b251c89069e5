#!/usr/bin/env bash
# Runs short scenarios of internal/chaos. docs/benchmarks.md has the long runs.
set -euo pipefail
cd "$(dirname "$0")/../.."

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
export PATH="$PATH:/usr/sbin:/sbin"
missing=()
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
command -v iptables >/dev/null || missing+=(iptables)
command -v ip >/dev/null || missing+=(iproute2)
if [ ${#missing[@]} -gt 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/notakto" ./cmd/notakto
go build -o "$work/chaos" ./internal/chaos

# only_stalled OUTPUT: report whether all faults are waits that were too long. Other work on the machine can cause
# those, and run repeats the scenario once.
only_stalled() {
  grep -q '^  FAULTS stalled' "$1" && ! grep '^  FAULTS' "$1" | grep -qv stalled &&
    ! grep -Eq 'panics in the log|has ended with status' "$1"
}

# run SCENARIO FLAG...: run a scenario. The end of the script prints its output.
run() {
  local name=$1 status=0 inside=()
  [ "$name" != cut ] || inside=(unshare --net sh -c 'ip link set lo up && exec "$@"' sh) # iptables rules stay in this network
  for _ in 1 2; do
    status=0
    timeout 300 "${inside[@]}" "$work/chaos" "$name" -binary "$work/notakto" "${@:2}" >"$work/$name.out" 2>&1 || status=$?
    only_stalled "$work/$name.out" || break
  done
  [ "$status" != 124 ] || echo "chaos: $name has run for 300 s, its limit" >>"$work/$name.out"
  [ "$status" = 0 ] || echo "$name" >>"$work/failed"
}
run_on_disk() {
  if [ "$mountable" ]; then run "$@"; else echo "NOT CHECKED: $1, because nothing can be mounted here" >"$work/$1.out"; fi
}
run_in_network() {
  if [ "$network" ]; then run "$@"; else echo "NOT CHECKED: $1, because no network can be made here" >"$work/$1.out"; fi
}

mountable='' network=''
truncate -s 8M "$work/image"
mkdir "$work/disk"
if mkfs.ext4 -q -F "$work/image" && mount -t ext4 -o loop "$work/image" "$work/disk" 2>/dev/null; then
  umount "$work/disk"
  mountable=yes
fi
if [ "$(id -u)" = 0 ] && unshare --net true 2>/dev/null; then network=yes; fi

# Four groups run at once, because a scenario mostly waits for an outage or for matches to end. Only scenarios with
# bots that play without a pause use the whole machine.
few=(-players 16 -every 6s)
{
  run kill -kills 20 -players 16
  run away "${few[@]}" -kills 1 -for 15s
  run freeze "${few[@]}" -kills 2 -for 6s
} &
{
  run_on_disk power -kills 6 -players 16
  run_in_network cut "${few[@]}" -kills 2 -for 10s
  run restart "${few[@]}" -kills 2
} &
{
  run_on_disk full "${few[@]}" -kills 1 -for 8s
  run server "${few[@]}" -kills 2 -for 3s
  run failover "${few[@]}" -kills 2 -for 0s
} &
{
  run begin -kills 15
  run crash "${few[@]}" -kills 2
  run_on_disk dbfull "${few[@]}" -kills 1 -for 8s
  run drain "${few[@]}"
} &
wait
for name in kill begin power full restart server drain crash away cut failover freeze dbfull; do cat "$work/$name.out"; done
[ ! -e "$work/failed" ] || { echo "chaos: failed: $(xargs <"$work/failed")" >&2; exit 1; }
