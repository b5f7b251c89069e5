#!/usr/bin/env bash
# Drops all packets of a client, in a network namespace of its own. After at most 25 seconds the server must end the
# session, on a still screen and on one with a clock. A client whose packets pass again after 8 seconds misses
# nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${1-}" != inside ]; then
  exec unshare --map-root-user --net "$0" inside
fi
export PATH="$PATH:/usr/sbin:/sbin"
ip link set lo up
source .ci/e2e/lib/server.sh
source .ci/e2e/lib/panes.sh

# port PLAYER: print the port of the player's client.
port() { sed -n "s/.*msg=\"session began\".* name=$1 address=127.0.0.1:\([0-9]*\) .*/\1/p" "$work/log" | tail -n 1; }

# swallow -A|-D PORT: begin (-A) or end (-D) to drop the packets of a client.
swallow() {
  iptables "$1" INPUT -i lo -p tcp --sport "$2" -j DROP
  iptables "$1" INPUT -i lo -p tcp --dport "$2" -j DROP
}

gone() { grep -q "msg=\"session ended\".* name=$1 " "$work/log"; }

build
open_server
for player in alice bob; do
  pane "$player" 80 24
  enters "$player" "$player"
done
press bob 1 # a screen with a clock
sees bob 'Waiting for an opponent'
still=$(port alice) ticking=$(port bob)
[[ -n "$still" && -n "$ticking" ]] || fail 'the log does not know the ports'

say '8 seconds and back'
swallow -A "$still"
swallow -A "$ticking"
sleep 8
press alice '?'
swallow -D "$still"
swallow -D "$ticking"
sees alice 'Any key goes back'
press alice x
press bob Escape
sees bob 'Play someone'
press bob 1
sees bob 'Waiting for an opponent'

say 'for good'
swallow -A "$still"
swallow -A "$ticking"
began=$SECONDS
for player in alice bob; do
  until gone "$player"; do
    [ $((SECONDS - began)) -le 25 ] || fail "$player is still there after 25 s"
    sleep 0.2
  done
  say "$player was found to be gone after $((SECONDS - began)) s"
done
stop_server
