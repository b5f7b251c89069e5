#!/usr/bin/env bash
# Plays whole matches with OpenSSH's client in panes of tmux: two people from the queue, one person against the
# computer, and rated pairs by a challenge. Windows have the usual size and the smallest one.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh
source .ci/e2e/lib/panes.sh

is_back() { ! shows "$1" 'away'; }

# only_turn PANE OTHER: wait until both screens say that it is PANE's turn, and not OTHER's.
only_turn() { eventually "the turn to be $1's alone" turn_now "$1" "$2"; }
turn_now() { shows "$1" 'Your turn' && shows "$2" "$1's turn" && ! shows "$1" "$2's turn" && ! shows "$2" 'Your turn'; }

# moves PANE OTHER MOVE KEY...: make a move. Both screens must name it, and OTHER's board must mark it as the last
# move.
moves() {
  local mover=$1 other=$2 move=$3 who
  shift 3
  only_turn "$mover" "$other"
  knows "$mover" '#{pane_title}' '● Your turn — Notakto'
  places "$mover" "$@"
  for who in "$mover" "$other"; do
    sees_like "$who" " ${move}( +(● Your|[a-z]+'s) turn)? *\$"
  done
  eventually "one move marked as the last one for $other" marks_one_move "$other"
}

# marks_one_move PANE: report whether one small cross has brackets. A large cross has only a color as its mark, which
# other tests check.
marks_one_move() {
  case $(screen "$1" | { grep -o '(X)' || true; } | wc -l) in
    1) return 0 ;;
    0) screen "$1" | grep -q '█' ;;
    *) return 1 ;;
  esac
}

# pair SIZE...: alice waits for an opponent and bob comes. Set first and second to the players by their seat.
pair() {
  local who
  for who in alice bob; do
    pane "$who" "$@"
    enters "$who" "$who"
    press "$who" Down # from now on the lobby does not move the cursor to the computer, as for a new player
    sleep 1
    eventually "$who to be at the first entry" at_first_entry "$who"
    press "$who" Enter
    sees "$who" 'Match' 'Boards'
    press "$who" 2
    sees "$who" '2 boards'
  done
  press alice Enter
  sees alice 'Waiting for an opponent' 'No one else is waiting'
  press bob Enter
  eventually "a player to be on turn" a_players_turn
  if [ "$second" = alice ]; then knows alice '#{window_bell_flag}' 1; fi
}

# at_first_entry PANE: move the menu's cursor up until it is at the first entry.
at_first_entry() {
  if matches "$1" '▸ 1 Play someone'; then return; fi
  press "$1" Up
  sleep 1 # until the key is drawn, or one key more would follow
  return 1
}

a_players_turn() {
  first=alice second=bob
  turn_now alice bob && return
  first=bob second=alice
  turn_now bob alice
}

# is_refused PANE KEY ANSWER: press a key again until the answer shows, which the next second of the countdown erases.
is_refused() {
  if shows "$1" "$3"; then return; fi
  press "$1" "$2"
  return 1
}

# play_out: play two boards to the end. The second player kills the last board and loses.
play_out() {
  moves "$first" "$second" A5 5
  eventually 'an answer to a move out of turn' is_refused "$first" 9 'not your turn'
  eventually 'an answer to a move to a taken cell' is_refused "$second" 5 'cell is taken'
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

# play_again: look at the review, then start the rematch with swapped seats.
play_again() {
  press "$first" v
  sees "$first" 'Review' 'A slip. '
  press "$first" Escape
  sees_like "$first" 'Enter (rematch|again) .*v review'
  places "$first" Enter
  sees_like "$first" '[Ww]aiting'
  sees "$second" 'Enter accepts'
  eventually 'the rematch' plays_again "$second"
  moves "$second" "$first" A5 5
}

# drop_and_return: cut the link of the player on turn, who reconnects with the same key and gets the match back.
drop_and_return() {
  cut_link "$first"
  sees_like "$second" "$first.*away"
  enters "$first" "$first"
  sees "$first" 'Match in progress' "against $second, your turn"
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

# against_the_computer SIZE...: try one cell after the other until the board is dead. After a win the next level is
# offered.
against_the_computer() {
  local digit
  pane carol "$@"
  enters carol carol
  press carol 2
  sees carol 'Level' 'Boards' 'First'
  press carol Down 1 Down Left
  sees_like carol 'Level .*(novice|learner)'
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
  sees_like carol '(You|novice|learner) made three in a row'
  eventually 'the result' ended
  eventually 'the rematch' plays_again carol
  press carol q
  sees carol 'Leave the table?'
  press carol y
  sees_like carol 'Match(es)? in progress'
  sees_like carol 'against (novice|learner|steady)' # Enter after a win goes up a level
  quits carol
  panes kill-session -t carol
}

# plays_again PANE: press Enter while the result offers another match, and report whether it is the player's turn in
# one. The result ignores an Enter that arrives just as the match ends. In the new match, an Enter would place an X.
plays_again() {
  if shows "$1" 'Your turn'; then return; fi
  if offers_match "$1"; then
    press "$1" Enter
    for _ in {1..50}; do
      offers_match "$1" || break
      sleep 0.1
    done
  fi
  return 1
}
offers_match() { matches "$1" 'Enter (accepts|shows|next|try|rematch|again|the other|swap)'; }

turn_or_end() { shows carol '● Your turn' || ended; }
ended() { matches carol 'Enter (next|try|rematch|again|the other|swap)'; }
answered() { shows carol 'cell is taken' || shows carol "A$1" || ended; }

# challenges_bob: alice challenges bob to a rated pair with a clock of minutes, with the keys of the form.
challenges_bob() {
  press alice c
  sees alice 'c new'
  press alice c
  sees alice 'New challenge'
  press alice b o b Down Right Down
  eventually 'the clock of live rated pairs' chooses_live_clock
  press alice Enter
  sees alice 'to bob'
}

chooses_live_clock() {
  if matches alice 'Clock .*6\+0'; then return; fi
  press alice Left
  sleep 1 # until the key is drawn, or one key more would follow
  return 1
}

# accepts_at_once: bob accepts with one key. Print the time until both tables are on the screen.
accepts_at_once() {
  local begun who
  sees_like bob 'alice(: a rated challenge| challenges you).* y accepts'
  sleep 1.1 # the server ignores a key that was meant for the screen
  begun=${EPOCHREALTIME/[.,]/}
  press bob y
  sees alice 'bob accepts your challenge'
  press alice o
  for who in alice bob; do eventually "$who to be at the table" at_table "$who"; done
  say "both tables are there $(((${EPOCHREALTIME/[.,]/} - begun) / 1000)) ms after the key"
}

# at_table PANE: report whether board D and a player on turn are on the screen.
at_table() { shows "$1" 'D' "'s turn" || shows "$1" 'D' 'Your turn'; }

# kills_boards PRESSES: let the player on turn try the next cell in the lower row of the first living board, until the
# game is over. PRESSES is how bob makes a move. The screen of alice tells the turn.
kills_boards() {
  local board
  if shows alice 'Second game'; then return; fi
  cell=$((cell % 3 + 1))
  for board in A B C D; do shows alice "$board dead" || break; done
  if shows alice 'Your turn'; then
    press alice "$board" "$cell"
  elif shows alice "bob's turn"; then
    "$1" "$board" "$cell"
  fi
  sleep 0.2 # a held key places no X
  return 1
}
cell=3
by_keys() { press bob "$1" "$2"; }
by_words() { types bob "$1$2"; }

# sees_rating PANE: wait for the change of the rating, as in "1500? → 1621? (+121)" or, in words, "1500? to 1621?".
sees_rating() { sees_like "$1" '[12][0-9]{3}\? (→|to) [12][0-9]{3}\? \([+-][0-9]+'; }

# rated_pairs: play a pair with both players at the full screen, then one with bob at the plain game.
rated_pairs() {
  local who
  say 'a rated pair by a challenge, at 80x24 and 40x16'
  for who in alice bob; do ssh -qF "$work/ssh_config" -T "$who" name "$who"; done
  pane alice 80 24
  pane bob 40 16
  for who in alice bob; do enters "$who" "$who"; done
  challenges_bob
  accepts_at_once
  eventually 'the end of the first game' kills_boards by_keys
  eventually 'the second game' shows alice '2 of 2'
  resigns bob
  for who in alice bob; do sees_rating "$who"; done
  leave bob
  press alice q
  sees alice 'Play someone'

  say 'a rated pair of the full screen and the plain game'
  pane bob 80 24
  types bob 'wiped; ssh -t bob plain'
  sees bob 'line by line'
  challenges_bob
  sees bob 'Type accept alice.'
  types bob 'accept alice'
  sees alice 'bob accepts your challenge'
  press alice o
  eventually 'the end of the first game' kills_boards by_words
  eventually 'the second game' shows alice '2 of 2'
  types bob resign
  sees bob 'Resign this match?'
  types bob yes
  for who in alice bob; do sees_rating "$who"; done
  types bob quit
  is_home bob 0
  leave alice
  panes kill-session -t bob
}

# bot NAME: begin a session for a program. Its lines come from $work/NAME.says, and its events go to $work/NAME.hears.
bot() {
  mkfifo "$work/$1.says"
  ssh -qF "$work/ssh_config" -T "$1" bot <"$work/$1.says" >"$work/$1.hears" &
  companions+=($!)
}

hears() { eventually "an event like /$2/ for the bot $1" grep -Eq -- "$2" "$work/$1.hears"; }

# rated_bots: play a rated pair of two programs, by a challenge. alice resigns both games.
rated_bots() {
  local id second who
  say 'a rated pair of two programs'
  ssh -qF "$work/ssh_config" bob me program on
  bot alice
  exec 4>"$work/alice.says"
  bot bob
  exec 5>"$work/bob.says"
  hears bob welcome
  echo '{"do":"challenge","opponent":"bob","rated":true,"clock":"6+0"}' >&4
  hears bob '"event":"challenge".*"state":"open"'
  id=$(sed -n 's/.*"event":"challenge","match":"\([a-z0-9]*\)".*/\1/p' "$work/bob.hears")
  echo "{\"do\":\"accept\",\"match\":\"$id\"}" >&5
  hears alice '"state":"accepted"'
  echo "{\"do\":\"state\",\"match\":\"$id\"}{\"do\":\"resign\",\"match\":\"$id\"}" | sed 's/}{/}\n{/' >&4
  hears alice '"pair":\{"id":"[^"]*","game":2'
  second=$(sed -En 's/.*"event":"match","match":"([a-z0-9]*)".*"game":2.*/\1/p' "$work/alice.hears")
  echo "{\"do\":\"resign\",\"match\":\"$second\"}" >&4
  hears alice '"event":"end".*"rating":\{"before":1500,"value":13[0-9]+,"change":-1'
  hears bob '"event":"end".*"rating":\{"before":1500,"value":16[0-9]+,"change":1'
  exec 4>&- 5>&-
  wait "${companions[@]}"
}

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
rated_pairs
rated_bots
stop_server
say "all passed in $SECONDS s"
