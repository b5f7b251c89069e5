#!/usr/bin/env bash
# Runs each command with OpenSSH's client without a terminal, and checks output and exit status. match.sh and
# terminals.sh test the front ends with a terminal.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh

# asks STATUS INPUT WORDS...: run `ssh -T alice WORDS` with INPUT and expect STATUS. The output is in $work/out and
# $work/err.
asks() {
  local want=$1 input=$2 status=0
  shift 2
  say "ssh -T alice $*"
  # In a pipe, printf would fail if ssh ends before it has read the input.
  ssh -F "$work/ssh_config" -T alice "$@" < <(printf "$input") >"$work/out" 2>"$work/err" || status=$?
  [ "$status" = "$want" ] || complain "the status is $status, not $want"
  if grep -q $'\e' "$work/out" "$work/err"; then complain 'there is an escape code in it'; fi
}

complain() {
  head -n 30 "$work/out" "$work/err" >&2
  fail "$1"
}

prints() { grep -Eq -- "$1" "$work/out" || complain "standard output has no /$1/"; }
warns() { grep -Eqx -- "notakto: $1" "$work/err" || complain "standard error has no line 'notakto: $1'"; }

build
open_server

asks 0 '' version
prints '^notakto '
asks 0 '' help
commands=(play join watch plain bot classic analyse opening matches card cast)
for command in "${commands[@]}"; do prints "^ +$command( |\$)"; done
for command in "${commands[@]}"; do asks 0 '' "$command" --help; done

asks 0 '' analyse 'notakto/1:'
asks 0 '' analyse --json 'notakto/1:'
prints '^\{"variant":"notakto/1","position":"\.{9}","turn":1,"verdict":"win","winning_moves":\["A5"\],'
asks 2 '' analyse 'XXXXXXXXX'
warns '.*'
asks 0 '' opening --json notakto
prints '^\{"seed":"notakto","hash":"5d270d4b'
asks 2 '' opening
warns '.*takes one seed.*'
asks 0 '' matches
asks 0 '' matches --json
[ "$(cat "$work/out")" = '[]' ] || complain 'there are matches'
asks 1 '' card nowhere
warns 'there is no match "nowhere".*'
asks 1 '' cast nowhere
warns 'there is no match "nowhere".*'
asks 0 'quit\n' watch
prints 'two levels of the computer show the game'
asks 1 '' watch nowhere
warns '.*'

asks 0 '2\n1\n1\n1\n2\n1\n3\n2\n1\n2\n2\n2\n3\n' classic two
prints '^Congratulations! Player [12] wins!$'
asks 1 'A0\n' classic three
warns 'input ended before the game did'
asks 0 '2\n2\n1\n2\n3\n0\n' classic one
prints '^Player 2 wins!$'
asks 2 '' classic four

asks 0 '{"do":"ping","n":7}\n' bot
prints '^\{"event":"welcome","protocol":1,'
prints '^\{"event":"pong","n":7\}$'
asks 1 "$(printf 'x\\n%.0s' {1..20})" bot
prints '^\{"event":"notice","message":".*20 bad lines'
warns 'too many bad lines in a row'
asks 0 'help\nquit\n' plain
asks 0 'boards\nquit\n' play --computer random --boards 2
prints 'Board A'
asks 0 'quit\n' play --private
asks 2 '' play --computer brilliant
warns '.*brilliant.*'
asks 1 '' join ZZZZ
warns '.*'

# bob plays the computer while alice watches. He must stay, because a match without its player is not in progress.
mkfifo "$work/bob.plays"
ssh -F "$work/ssh_config" -T bob play --computer random <"$work/bob.plays" >"$work/bob.sees" &
companions+=($!)
exec 4>"$work/bob.plays"
eventually 'the match' grep -q 'turn' "$work/bob.sees"
asks 0 'quit\n' watch
prints 'You are watching\.'
prints 'bob'
echo quit >&4
exec 4>&-
wait "${companions[-1]}"

# alice joins bob's private table with its code.
mkfifo "$work/bob.typed"
ssh -F "$work/ssh_config" -T bob play --private <"$work/bob.typed" >"$work/bob.heard" &
companions+=($!)
exec 4>"$work/bob.typed"
eventually 'a code' grep -Eq 'types join [A-Z0-9]{6}[.,]' "$work/bob.heard"
asks 0 'boards\nquit\n' join "$(sed -En 's/.*types join ([A-Z0-9]{6})[.,].*/\1/p' "$work/bob.heard")"
prints '3 boards, against bob\.'
eventually 'bob to hear of it' grep -q '^alice sits down\.' "$work/bob.heard"
asks 0 '' matches --json
if grep -q '"name":"bob"' "$work/out"; then complain 'a private match is listed'; fi
echo quit >&4
exec 4>&-
wait "${companions[-1]}"

stop_server
say "all passed in $SECONDS s"
