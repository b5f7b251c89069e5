#!/usr/bin/env bash
# Uses the server from unusual terminals: without colours, UTF-8 or escape codes, too small, resized, without a key,
# with the mouse on, and during a stop of the server.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh
source .ci/e2e/lib/panes.sh

# recorded PANE PLAYER VARIABLE=VALUE...: visit the screens from a terminal with these variables. $work/PANE.sent
# records the server's bytes.
recorded() {
  local name=$1 player=$2
  shift 2
  say "a terminal with $*"
  pane "$name" 80 24 "$@"
  panes pipe-pane -t "$name" "cat >'$work/$name.sent'"
  enters "$name" "$player"
  visit "$name" 5 'The game in one minute' Escape
  visit "$name" '?' 'Any key goes back' x
  visit "$name" 3 'Your challenge' Escape
  visit "$name" 1 'Waiting for an opponent' Escape
  press "$name" 2
  sees "$name" 'Level'
  press "$name" Down 1 Down Right Enter
  sees "$name" 'Your turn'
  places "$name" 5
  sees_like "$name" '▄▀ ▀▄|▄██▀██▄|/ \\'
  sees "$name" 'Your turn'
  resigns "$name"
  sees "$name" 'You resigned'
  visit "$name" v 'Review:' Escape
  press "$name" q
  quits "$name"
  eventually 'the record to be whole' grep -q 'status=0 ready' "$work/$name.sent"
}

# visit PANE KEY TEXT BACK: press KEY, wait for TEXT, and go back with the key BACK.
visit() {
  press "$1" "$2"
  sees "$1" "$3"
  press "$1" "$4"
  eventually "the way back from '$3'" gone "$1" "$3"
}

gone() { ! shows "$1" "$2"; }

# sends PANE REGEXP and sends_no PANE REGEXP: search the recorded bytes. sends_no fails if they match.
sends() { LC_ALL=C grep -Pq "$2" "$work/$1.sent"; }
sends_no() {
  if sends "$1" "$2"; then fail "the terminal of $1 is sent $(LC_ALL=C grep -Pao ".{0,30}$2.{0,10}" "$work/$1.sent" | head -n 3 | cat -v)"; fi
}

readonly colour='\x1b\[([0-9;:]*[;:])?(3[0-8]|4[0-8]|9[0-7]|10[0-7])([;:][0-9;:]*)?m'
readonly beyond_ascii='[\x7f-\xff]'

kinds_of_terminals() {
  recorded full alice LANG=C.UTF-8
  sends full "$colour" || fail 'not even a full terminal is sent colours'
  sends full "$beyond_ascii" || fail 'not even a full terminal is sent characters beyond ASCII'
  recorded no-colour alice NO_COLOR=1
  sends_no no-colour "$colour"
  recorded ascii alice LANG=C
  sends_no ascii "$beyond_ascii"
  sends ascii "$colour" || fail 'a terminal in the C locale may have colours'
}

# line_by_line: play in words on a terminal without escape codes. The server must send neither escape codes nor
# characters beyond ASCII.
line_by_line() {
  say 'a terminal with TERM=dumb'
  pane dumb 80 24 TERM=dumb
  panes pipe-pane -t dumb "cat >'$work/dumb.all'"
  types dumb 'wiped; ssh bob'
  sees dumb 'line by line'
  types dumb computer
  sees dumb 'Your turn'
  types dumb A5
  sees_like dumb 'you at 5|taken'
  types dumb resign
  sees dumb 'Resign this match?'
  types dumb yes
  sees dumb 'You resigned. You lost.'
  types dumb quit
  is_home dumb 0
  eventually 'the record to be whole' grep -q 'status=0 ready' "$work/dumb.all"
  sed -n '/line by line/,/Connection to/p' "$work/dumb.all" >"$work/dumb.sent"
  sends dumb 'Your turn' || fail 'the record does not hold the game'
  sends_no dumb '\x1b'
  sends_no dumb "$beyond_ascii"
}

# sizes: resize bob's window several times. His match must go on at each size.
sizes() {
  say 'windows that are too small, and change'
  pane bob 39 15
  types bob 'wiped; ssh bob'
  sees bob '40x16' '39x15'
  resize bob 40 16
  sees bob 'Play someone'
  press bob 2
  sees bob 'Level'
  press bob Down 9 Down Right Enter
  sees_like bob 'Your turn'
  places bob 5
  sees_like bob 'A5.*[A-I][1-9]'
  resize bob 30 9
  sees_like bob '40x16'
  sees bob '30x9'
  eventually 'the promise to keep the match' kept bob
  resize bob 200 60
  sees bob 'Your turn' 'A5'
  resize bob 80 24
  places bob B 7
  sees bob 'B7'
  resigns bob
  sees bob 'You resigned'
  press bob q
  quits bob
}

resize() { panes resize-window -t "$1" -x "$2" -y "$3"; }
kept() { screen "$1" | tr -s '\n ' ' ' | grep -q 'match is kept'; }

# guests: play without a key. The screen shows a code at every size, and `join CODE` leads back to the seat.
guests() {
  local code
  say 'a guest, who comes back by a code'
  pane guest 80 24
  enters guest guest
  press guest 2
  sees guest 'Level'
  press guest Down Down Right Enter
  sees guest 'Your turn'
  code=$(code_of guest)
  resize guest 40 16
  sees guest "$code"
  places guest 5
  sees guest 'A5'
  cut_link guest
  types guest "wiped; ssh -t guest join $code"
  sees guest 'A5' 'Your turn'
  resigns guest
  sees guest 'You resigned'
  press guest q
  quits guest
}

code_of() {
  local code
  code=$(screen "$1" | grep -Eo 'return code: .*' | grep -Eo '\b[A-Z0-9]{8}\b' | tail -n 1 || true)
  [ -n "$code" ] || fail "no code for the guest"
  echo "$code"
}

# the_stop: stop the server during carol's match. She must read the reason, and her terminal must have the mouse off.
the_stop() {
  say 'a player in the middle of a match when the server stops'
  pane carol 80 24
  enters carol carol
  press carol m
  knows carol '#{mouse_any_flag}' 1
  press carol 2 Enter
  sees_like carol "Your turn|club's turn"
  stop_server
  is_home carol 0
  sees carol 'the server is stopping'
}

build
open_server --computer-pause 0s
kinds_of_terminals
line_by_line
sizes
guests
the_stop
say "all passed in $SECONDS s"
