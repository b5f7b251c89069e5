#!/usr/bin/env bash
# Uses OpenSSH's tools for purposes that this server does not serve, such as copying and forwarding, and for commands
# and connections without a terminal or session. After each part the server must still answer a command. At the end
# clients pin the host key and learn a new one.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh
source .ci/e2e/lib/panes.sh

# client STATUS COMMAND...: run a client program without a terminal and expect STATUS, or any failure for "fails". The
# output is in $work/out and $work/err.
client() {
  local want=$1 status=0
  shift
  say "$*"
  "$1" -F "$work/ssh_config" "${@:2}" </dev/null >"$work/out" 2>"$work/err" || status=$?
  if [ "$want" = fails ] && [ "$status" != 0 ]; then return; fi
  [ "$status" = "$want" ] || complain "the status is $status, not $want"
}

complain() {
  head -n 20 "$work/out" "$work/err" >&2
  fail "$1"
}

prints() { grep -Eq -- "$1" "$work/out" || complain "standard output has no /$1/"; }
prints_nothing() { [ ! -s "$work/out" ] || complain 'standard output is not empty'; }
warns() { grep -Eq -- "$1" "$work/err" || complain "standard error has no /$1/"; }
one_line_of_error() { [ "$(grep -c '^notakto: ' "$work/err")" = 1 ] || complain 'standard error has not one line of ours'; }
no_escapes() {
  if grep -q $'\e' "$work/out" "$work/err"; then complain 'there is an escape code in it'; fi
}

alive() {
  client 0 ssh alice version
  prints '^notakto '
}

commands() {
  client 2 ssh -T alice
  prints 'ssh -p [0-9]+ 127\.0\.0\.1'
  no_escapes
  client 2 ssh alice nonsense
  prints_nothing
  one_line_of_error
  warns '^notakto: .*nonsense'
  client 2 ssh alice version --nonsense
  one_line_of_error
  client 2 ssh alice "version 'unfinished"
  one_line_of_error
  client 0 ssh alice help
  prints 'version'
  client 0 ssh guest version
  alive
}

copying() {
  : >"$work/batch"
  client fails sftp -b "$work/batch" alice
  client fails scp "$work/ssh_config" alice:/tmp/stolen
  [ ! -e /tmp/stolen ] || fail 'a file was copied'
  client fails scp alice:/etc/passwd "$work/stolen"
  [ ! -s "$work/stolen" ] || fail 'a file was copied'
  client fails scp -O alice:/etc/passwd "$work/stolen"
  [ ! -s "$work/stolen" ] || fail 'a file was copied'
  client fails ssh -s alice sftp
  alive
}

forwarding() {
  client fails ssh -W "$address" alice
  prints_nothing
  client fails ssh -o ExitOnForwardFailure=yes -R 0:127.0.0.1:1 alice version
  warns 'remote port forwarding failed'
  client 0 ssh -X alice version
  alive
}

# agent: log in with an agent that has six keys. The server accepts four at most. The first key decides the account,
# unless -i names another one.
agent() {
  local n type
  eval "$(ssh-agent -s)" >/dev/null
  companions+=("$SSH_AGENT_PID")
  for n in 1 2 3 4 5 6; do
    type=$(cut -d' ' -f"$n" <<<'rsa ecdsa ed25519 ed25519 ecdsa rsa')
    ssh-keygen -q -t "$type" -N '' -C '' -f "$work/agent$n"
    ssh-add -q "$work/agent$n"
  done
  client 0 ssh -o IdentityAgent="$SSH_AUTH_SOCK" -o IdentitiesOnly=no -o IdentityFile=none six@six bot
  is_player "$work/agent1"
  client 0 ssh -o IdentityAgent="$SSH_AUTH_SOCK" -o IdentitiesOnly=no -i "$work/agent6" six@six bot
  is_player "$work/agent6"
}

# is_player KEYFILE: the welcome in $work/out must name the account of that key.
is_player() {
  local id
  id=$(ssh -F "$work/ssh_config" -o IdentityAgent=none -o IdentitiesOnly=yes -i "$1" six@six me --json | sed -En 's/^\{"id":"([a-z2-7]{16})".*/\1/p')
  prints "\"id\":\"${id:?}\""
}

# batch_mode: a client that may not ask its user needs a key. The server must say so.
batch_mode() {
  client 0 ssh -o BatchMode=yes alice version
  client 255 ssh -o BatchMode=yes newcomer@guest version
  prints_nothing
  warns 'ssh-keygen -t ed25519'
  warns 'Permission denied \(publickey,keyboard-interactive\)'
}

# control_master: open two windows on one connection and close one during a match. The opponent must see that at once,
# and the other window must go on.
control_master() {
  say 'a ControlMaster, of whose two windows one is closed'
  local name
  for name in first second opponent; do pane "$name" 80 24; done
  enters first -M -S "$work/master" alice
  types second "wiped; ssh -t -S $work/master alice play"
  sees second 'Waiting for an opponent'
  types opponent 'wiped; ssh -t bob play'
  sees_like second 'alice.*bob|bob.*alice'
  client 0 ssh -S "$work/master" alice version
  panes kill-session -t second
  sees opponent 'alice (away)'
  press first 5
  sees first 'How to play' 'Three Xs in a row'
  press first q
  quits first
  resigns opponent
  sees opponent 'You resigned'
  for name in first opponent; do panes kill-session -t "$name"; done
  alive
}

# local_forward: connect to the ports that a client forwards. The connections must lead nowhere while the game goes
# on.
local_forward() {
  say 'ssh -L, -D and -A, with the game on'
  local port socks request reply=
  pane bob 80 24 SSH_AUTH_SOCK="$SSH_AUTH_SOCK"
  for _ in $(seq 20); do
    port=$((31300 + RANDOM % 50 * 2)) socks=$((port + 1)) # below the ports of service.sh, above those of postgres.sh
    types bob "wiped; ssh -A -o IdentityAgent=SSH_AUTH_SOCK -o ExitOnForwardFailure=yes -L 127.0.0.1:$port:$address -D 127.0.0.1:$socks bob"
    eventually 'the game, or its failure to begin' begun_or_not bob
    if in_lobby_or_visit bob; then break; fi
    types bob 'wiped; true' # the old status must not count for the next try
    sees bob 'status=0 ready>'
  done
  skips_visit bob
  sees bob 'Play someone'
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  if read -r -t 20 reply <&3; then fail "behind the forwarded port there is '$reply'"; fi
  exec 3>&-
  exec 3<>"/dev/tcp/127.0.0.1/$socks"
  # The SOCKS 4 request connects to the server's own port at 127.0.0.1. The client accepts with eight bytes before it
  # asks the server.
  request=$(printf '\\x04\\x01\\x%02x\\x%02x\\x7f\\x00\\x00\\x01\\x00' $((${address##*:} / 256)) $((${address##*:} % 256)))
  printf '%b' "$request" >&3
  reply=$(timeout 20 tail -c +9 <&3 | tr -d '\0') || fail 'the connection through -D goes nowhere and does not end'
  [ -z "$reply" ] || fail "behind -D there is '$reply'"
  exec 3>&-
  press bob 5
  sees bob 'How to play' 'Three Xs in a row'
  press bob q
  quits bob
  alive
}

begun_or_not() { in_lobby_or_visit "$1" || shows "$1" 'status=255 ready>'; }

# no_session: log in without a session. The server must end the connection after --start.
no_session() {
  local began=$SECONDS
  client 255 timeout_ssh -N alice
  [ $((SECONDS - began)) -lt 20 ] || fail 'it took too long'
  alive
}

timeout_ssh() { timeout 30 ssh "$@"; }

# published: OpenSSH's tools must agree with host-key, and the line for known_hosts must be enough for a client that
# asks nothing.
published() {
  say 'notakto host-key'
  local port=${address##*:} public host
  public=$work/host.pub
  ssh-keygen -y -f "$work/data/host_ed25519" >"$public"
  publish() { "$work/notakto" host-key --data "$work/data" --public-address "$1" | sed -n 's/^  //p' >"$work/out"; }
  publish "localhost:$port"
  for line in "$(ssh-keygen -l -f "$public" | cut -d' ' -f2)" "$(ssh-keygen -r localhost. -f "$public" | grep ' SSHFP 4 2 ')"; do
    grep -qxF "$line" "$work/out" || complain "host-key does not print $line"
  done
  grep '^\[localhost\]:' "$work/out" >"$work/pinned"
  client 0 ssh -o HostName=localhost -o UserKnownHostsFile="$work/pinned" -o GlobalKnownHostsFile=none alice version
  for host in play.example.org '[play.example.org]:2222' 2001:db8::7 '[2001:db8::7]:2222'; do
    publish "$host"
    ssh-keygen -F "$host" -f "$work/out" >"$work/err" || complain "OpenSSH does not find $host in the line of known_hosts"
  done
}

# rotated: replace the host key. A client that has logged in before must learn the new key, and then forget the old
# one, without a question.
rotated() {
  say 'a new host key'
  local port=${address##*:} old new
  old=$(ssh-keygen -y -f "$work/data/host_ed25519" | cut -d' ' -f2)
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/next"
  new=$(cut -d' ' -f2 "$work/next.pub")
  cp "$work/known_hosts" "$work/late"
  stop_server
  start_server --listen "127.0.0.1:$port" --next-host-key "$work/next"
  # A client that ends before the proof arrives learns nothing, so the login is repeated.
  learns() { client 0 ssh -o UpdateHostKeys=yes alice version && grep -qF "$new" "$work/known_hosts"; }
  eventually 'the client to learn the new key' learns
  grep -qF "$old" "$work/known_hosts" || fail 'the client has forgotten the key in use'
  stop_server
  start_server --listen "127.0.0.1:$port" --host-key "$work/next"
  forgets() { client 0 ssh -o UpdateHostKeys=yes alice version && ! grep -qF "$old" "$work/known_hosts"; }
  eventually 'the client to forget the old key' forgets
  client 255 ssh -o UserKnownHostsFile="$work/late" alice version
  warns 'REMOTE HOST IDENTIFICATION HAS CHANGED'
}

build
open_server --start 2s
commands
copying
forwarding
agent
batch_mode
control_master
local_forward
no_session
published
rotated
stop_server
say "all passed in $SECONDS s"
