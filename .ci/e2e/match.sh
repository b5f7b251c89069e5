#!/usr/bin/env bash
# Whole matches as people play them: OpenSSH's client in the panes of tmux, two people through the queue and one person against the
# computer, in a window of the usual size and in the smallest one.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh
source .ci/e2e/lib/panes.sh

# only_turn PANE OTHER: the turn is on exactly one side, and both sides say whose it is.
only_turn() { eventually "the turn to be $1's alone" turn_now "$1" "$2"; }
is_back() { ! shows "$1" 'away'; }
turn_now() { shows "$1" 'Your turn' && shows "$2" "$1's turn" && ! shows "$1" "$2's turn" && ! shows "$2" 'Your turn'; }

# moves PANE OTHER MOVE KEY...: one move, which both come to see as the last one in words, and the other on the board.
moves() {
  local mover=$1 other=$2 move=$3 who
  shift 3
  only_turn "$mover" "$other"
  knows "$mover" '#{pane_title}' '● Your turn — Notakto'
  places "$mover" "$@"
  for who in "$mover" "$other"; do
    sees_like "$who" " ${move}( +(● Your|[a-z]+'s) turn)? *\$"
  done
  eventually "one mark signed as the last one for $other" last_marks "$other" 1
}

# last_marks PANE COUNT: brackets around a low cross. The heart of a high one is only a color, which the screens' tests look at.
last_marks() {
  case $(screen "$1" | grep -c '(X)' || true) in
    "$2") return 0 ;;
    0) screen "$1" | grep -q '█' ;;
    *) return 1 ;;
  esac
}

# pair SIZE...: alice waits and bob comes. Lots say which of them is first and which second.
pair() {
  local who
  for who in alice bob; do
    pane "$who" "$@"
    enters "$who" "$who"
    eventually "$who to be at the first entry" at_first_entry "$who"
    press "$who" Enter
    sees "$who" 'Match' 'Boards'
    press "$who" 2
    sees "$who" '2 boards'
  done
  press alice Enter
  sees alice 'Waiting for an opponent' 'No one else is waiting'
  press bob Enter
  for who in alice bob; do sees_like "$who" 'alice.*bob|bob.*alice'; done
  eventually "a player to be on turn" a_players_turn
  if [ "$second" = alice ]; then knows alice '#{window_bell_flag}' 1; fi
}

# at_first_entry PANE: whether the cursor is there. A newcomer's begins at the computer.
at_first_entry() {
  if matches "$1" '▸ 1 Play someone'; then return; fi
  press "$1" Up
  return 1
}

a_players_turn() {
  first=alice second=bob
  turn_now alice bob && return
  first=bob second=alice
  turn_now bob alice
}

# moves_too_soon PANE: the answer stands only until the next second of the countdown.
moves_too_soon() {
  if shows "$1" 'not your turn'; then return; fi
  press "$1" 9
  return 1
}

# play_out: two boards. The second player has to kill the last one.
play_out() {
  moves "$first" "$second" A5 5
  eventually 'an answer to a move out of turn' moves_too_soon "$first"
  places "$second" 5
  sees "$second" 'cell is taken'
  moves "$second" "$first" A1 A 1
  moves "$first" "$second" A9 A Up Enter
  for who in alice bob; do
    sees "$who" 'A dead'
    never_sees "$who" 'B dead'
  done
  moves "$second" "$first" B5 B 5
  moves "$first" "$second" B1 B 1
  only_turn "$second" "$first"
  places "$second" B 9
  sees "$second" 'You killed the last board' 'A dead' 'B dead'
  sees "$first" "$second killed the last board" 'A dead' 'B dead'
}

# play_again: a look at the review, then the rematch with seats swapped.
play_again() {
  press "$first" v
  sees "$first" 'Review' 'A slip. '
  press "$first" Escape
  sees_like "$first" 'Enter (rematch|again) .*v review'
  places "$first" Enter
  sees_like "$first" '[Ww]aiting'
  sees "$second" 'Enter accepts'
  eventually 'the rematch' plays_again "$second" 'Your turn'
  moves "$second" "$first" A5 5
}

# drop_and_return: the link of the one who is to move is cut, and the same key leads back.
drop_and_return() {
  cut_link "$first"
  sees_like "$second" "$first.*away"
  enters "$first" "$first"
  sees "$first" 'Your match goes on' "against $second, your turn"
  press "$first" Enter
  only_turn "$first" "$second"
  eventually "$first to be back for $second" is_back "$second" # the lobby says "Your turn!" as well
  moves "$first" "$second" B5 B 5
}

resign() {
  only_turn "$second" "$first"
  resigns "$second"
  sees "$second" 'You resigned'
  sees "$first" "$second resigned"
}

leave() {
  local who
  for who in "$@"; do
    press "$who" q
    sees "$who" 'Play someone'
    quits "$who"
    panes kill-session -t "$who"
  done
}

# against_the_computer SIZE...: tries one cell after the other, as a child would, until the board is dead.
against_the_computer() {
  local digit
  pane carol "$@"
  enters carol carol
  press carol 2
  sees carol 'Level' 'Boards' 'First'
  press carol Down 1 Down Left
  sees_like carol 'Level .*novice'
  sees_like carol 'Boards .*1 board'
  sees_like carol 'First .*computer'
  press carol Enter
  for digit in 1 2 3 4 5 6 7 8 9; do
    eventually 'a turn or the end' turn_or_end
    if ended; then break; fi
    places carol "$digit"
    eventually "an answer to cell $digit" answered "$digit"
  done
  eventually 'the end' ended
  sees_like carol '(You|novice) made three in a row'
  eventually 'the result' ended
  eventually 'the rematch' plays_again carol 'Your turn'
  press carol q
  sees carol 'Leave the table?'
  press carol y
  sees carol 'Your match goes on' 'against novice'
  quits carol
  panes kill-session -t carol
}

# plays_again PANE TEXT: Enter until the table with the text is there. One that comes with the end is not taken for an answer to it.
plays_again() {
  if shows "$@"; then return; fi
  places "$1" Enter
  return 1
}

turn_or_end() { shows carol '● Your turn' || ended; }
ended() { matches carol 'Enter (next|try|rematch|again|the other)'; }
answered() { shows carol 'cell is taken' || shows carol "A$1" || ended; }

build
open_server --computer-pause 100ms
for size in '80 24' '40 16'; do
  # shellcheck disable=SC2086 # two words
  {
    say "two people at ${size/ /x}"
    pair $size
    play_out
    play_again
    drop_and_return
    resign
    leave alice bob
    say "a person and the computer at ${size/ /x}"
    against_the_computer $size
  }
done
stop_server
say "all passed in $SECONDS s"
