# Sourced after server.sh: terminals inside tmux in which people type, and what their screens must show.
# shellcheck shell=bash disable=SC2154 # $work is server.sh's

panes() { tmux -S "$work/tmux" -f "$work/tmux.conf" -u "$@"; }

# The prompt tells how the last command has ended; wiped takes old ones away.
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

# pane NAME WIDTH HEIGHT [VARIABLE=VALUE...]: a terminal with a shell, in an environment of its own.
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

# ask PANE FORMAT: what tmux knows of a pane, as its formats have it.
ask() { panes display-message -p -t "$1" "$2"; }

# press PANE KEY...: keys by their tmux names.
press() { panes send-keys -t "$@"; }

# places PANE KEY...: keys that place an X, of a player who has looked: one that comes with the boards, or is held, places nothing.
places() {
  sleep 0.8
  press "$@"
}

# types PANE TEXT: the text as it is, and Enter.
types() {
  panes send-keys -l -t "$1" -- "$2"
  press "$1" Enter
}

# shows PANE TEXT...: whether every text stands on the screen now.
shows() {
  local name=$1 now text
  now=$(screen "$name" 2>/dev/null) || return 1
  shift
  for text in "$@"; do
    case $now in *"$text"*) ;; *) return 1 ;; esac
  done
}

# sees PANE TEXT...: all the texts come to stand on the screen together.
sees() { eventually "$(printf '"%s" ' "${@:2}")in the pane of $1" shows "$@"; }

# never_sees PANE TEXT: it is not on the screen now.
never_sees() {
  if shows "$1" "$2"; then fail "'$2' in the pane of $1"; fi
}

matches() { screen "$1" | grep -Eq -- "$2"; }

# sees_like PANE REGEXP: a line of the screen comes to match.
sees_like() { eventually "a line like /$2/ in the pane of $1" matches "$1" "$2"; }

# knows PANE FORMAT VALUE: what tmux knows of the pane comes to be so.
knows() { eventually "$2 to be $3 for the pane of $1" knows_now "$@"; }
knows_now() { [ "$(ask "$1" "$2")" = "$3" ]; }

# enters PANE SSH-ARGUMENTS...: goes to the lobby.
enters() {
  local name=$1
  shift
  types "$name" "wiped; ssh $*"
  sees "$name" 'Play someone' 'Quit'
  knows "$name" '#{alternate_on} #{cursor_flag}' '1 0'
}

# resigns PANE: the match that it shows. An answer that comes before the question can have been read is none.
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

# is_home PANE STATUS: the session has ended with the status, and the terminal is as it was.
is_home() {
  sees "$1" "status=$2 ready>"
  knows "$1" '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag} #{wrap_flag}' '0 1 0 0 1'
}

# quits PANE: from the lobby to the prompt.
quits() {
  press "$1" q
  sees "$1" 'Quit Notakto?'
  press "$1" y
  is_home "$1" 0
}

# cut_link PANE: the client is killed, which leaves the terminal as the game had it; reset puts it right.
cut_link() {
  kill -KILL "$(client_in "$1")"
  sees "$1" 'status=137 ready>'
  types "$1" reset
  sees "$1" 'status=0 ready>'
  knows "$1" '#{cursor_flag} #{wrap_flag}' '1 1' # tmux itself stays on its alternate screen
}

# client_in PANE: the process of the pane's shell that is OpenSSH's client.
client_in() {
  local shell
  shell=$(ask "$1" '#{pane_pid}')
  sed -ns "s/^\([0-9]*\) (ssh) . $shell .*/\1/p" /proc/[0-9]*/stat 2>/dev/null || true # others' processes may end at the same time
}
