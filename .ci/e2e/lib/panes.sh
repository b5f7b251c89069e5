# Functions to type in terminals inside tmux and to check their screens. Source this file after server.sh.
# shellcheck shell=bash disable=SC2154 # $work is server.sh's

panes() { tmux -S "$work/tmux" -f "$work/tmux.conf" -u "$@"; }

# The prompt shows the status of the last command. wiped removes earlier prompts from the screen.
cat >"$work/bashrc" <<'END'
unset HISTFILE
PS1='status=$? ready> '
wiped() { printf '\033[H\033[2J'; }
ssh() { command ssh -F "$WORK/ssh_config" "$@"; }
END

cat >"$work/tmux.conf" <<'END'
set -g status off
set -s exit-empty off
set -s escape-time 0
END

# pane NAME WIDTH HEIGHT [VARIABLE=VALUE...]: open a terminal with a shell and a clean environment.
pane() {
  local name=$1 width=$2 height=$3
  shift 3
  panes new-session -d -s "$name" -x "$width" -y "$height" \
    env -i PATH="$PATH" HOME="$work" WORK="$work" TERM=tmux-256color LANG=C.UTF-8 "$@" bash --noprofile --rcfile "$work/bashrc" -i
  sees "$name" 'ready>'
}

screen() { panes capture-pane -p -t "$1"; }

show_panes() {
  local name
  for name in $(panes list-sessions -F '#{session_name}'); do
    echo "--- the pane of $name ($(ask "$name" '#{pane_width}x#{pane_height}'))"
    screen "$name"
  done
}

# ask PANE FORMAT: print a tmux format for a pane.
ask() { panes display-message -p -t "$1" "$2"; }

# press PANE KEY...: press keys by their tmux names.
press() { panes send-keys -t "$@"; }

# places PANE KEY...: press keys that place an X. The pause is needed because the server ignores such a key right
# after new boards have appeared, or while it is held.
places() {
  sleep 0.8
  press "$@"
}

# types PANE TEXT: type the text literally, and Enter.
types() {
  panes send-keys -l -t "$1" -- "$2"
  press "$1" Enter
}

# shows PANE TEXT...: report whether the screen has every text now.
shows() {
  local name=$1 now text
  now=$(screen "$name" 2>/dev/null) || return 1
  shift
  for text in "$@"; do
    case $now in *"$text"*) ;; *) return 1 ;; esac
  done
}

# sees PANE TEXT...: wait until the screen has every text at one time.
sees() { eventually "$(printf '"%s" ' "${@:2}")in the pane of $1" shows "$@"; }

# never_sees PANE TEXT: fail if the text is on the screen now.
never_sees() {
  if shows "$1" "$2"; then fail "'$2' in the pane of $1"; fi
}

matches() { screen "$1" | grep -Eq -- "$2"; }

# sees_like PANE REGEXP: wait until a line of the screen matches.
sees_like() { eventually "a line like /$2/ in the pane of $1" matches "$1" "$2"; }

# knows PANE FORMAT VALUE: wait until tmux prints VALUE for the format.
knows() { eventually "$2 to be $3 for the pane of $1" knows_now "$@"; }
knows_now() { [ "$(ask "$1" "$2")" = "$3" ]; }

# enters PANE SSH-ARGUMENTS...: connect and wait for the lobby.
enters() {
  local name=$1
  shift
  types "$name" "wiped; ssh $*"
  skips_visit "$name"
  sees "$name" 'Play someone' 'Quit'
  knows "$name" '#{alternate_on} #{cursor_flag}' '1 0'
}

# skips_visit PANE: leave the first visit, which opens the first session of an account.
skips_visit() {
  eventually 'the lobby or the first visit' in_lobby_or_visit "$1"
  if shows "$1" "$visit"; then press "$1" Escape; fi
}
visit='You both place X.'
in_lobby_or_visit() { shows "$1" 'Play someone' || shows "$1" "$visit"; }

# resigns PANE: resign the match on the screen. The server ignores an answer too soon after the question, so the
# answer is repeated.
resigns() {
  press "$1" r
  sees "$1" 'Resign this match?'
  eventually "$1 to have resigned" says_yes "$1" 'Resign this match?'
}
says_yes() {
  shows "$1" "$2" || return 0
  press "$1" y
  return 1
}

# is_home PANE STATUS: wait until the session has ended with STATUS and the terminal is restored.
is_home() {
  sees "$1" "status=$2 ready>"
  knows "$1" '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag} #{wrap_flag}' '0 1 0 0 1'
}

# quits PANE: quit from the lobby and wait for the prompt.
quits() {
  press "$1" q
  sees "$1" 'Quit Notakto?'
  press "$1" y
  is_home "$1" 0
}

# cut_link PANE: kill the client. The terminal stays in the game's modes, and reset restores it.
cut_link() {
  kill -KILL "$(client_in "$1")"
  sees "$1" 'status=137 ready>'
  types "$1" reset
  sees "$1" 'status=0 ready>'
  knows "$1" '#{cursor_flag} #{wrap_flag}' '1 1' # tmux stays on its alternate screen
}

# client_in PANE: print the process ID of OpenSSH's client in the pane's shell.
client_in() {
  local shell
  shell=$(ask "$1" '#{pane_pid}')
  sed -ns "s/^\([0-9]*\) (ssh) . $shell .*/\1/p" /proc/[0-9]*/stat 2>/dev/null || true # other processes may end during the search
}
