# Sourced by the scripts beside this directory: a server of their own on a free port, and keys for its players. All of it stands in $work,
# and ends with the script.
# shellcheck shell=bash
export LC_ALL=C.UTF-8

work=$(mktemp -d)
server=
address=
companions=() # other processes that must not outlive the script

cleanup() {
  if [ -S "$work/tmux" ]; then tmux -S "$work/tmux" kill-server 2>/dev/null || true; fi
  if [ ${#companions[@]} -gt 0 ]; then kill "${companions[@]}" 2>/dev/null || true; fi
  if [ -n "$server" ]; then
    kill -KILL "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap cleanup EXIT

set -E
trap 'fail "line $LINENO: $BASH_COMMAND"' ERR

say() { printf -- '-- %s\n' "$*"; }

# fail ends the script with what it knows: the reason, every pane's screen, the end of the server's log.
fail() {
  {
    echo "e2e: $*"
    if [ -S "$work/tmux" ]; then show_panes; fi
    echo "--- the end of the server's log"
    tail -n 30 "$work/log" || true
  } >&2
  exit 1
}

# eventually WHAT COMMAND...: the command has to succeed within half a minute. It is tried again and again, so it must only look.
eventually() {
  local what=$1
  shift
  for _ in $(seq 600); do
    if "$@"; then return; fi
    sleep 0.05
  done
  fail "waited in vain for $what"
}

# build makes the program with the race detector, or takes the one that RACE_BINARY names. A data race ends it with a status
# that stop_server refuses.
build() {
  if [ -n "${RACE_BINARY-}" ]; then
    ln -s "$RACE_BINARY" "$work/notakto"
  else
    go build -race -o "$work/notakto" ./cmd/notakto
  fi
}

# open_server FLAG...: starts the server, and writes an OpenSSH configuration that knows its key from the log and the players alice, bob
# and carol, who have keys, and guest, who has none.
open_server() {
  : >"$work/log"
  env -i HOME="$work" PATH="$PATH" "$work/notakto" --listen 127.0.0.1:0 --data "$work/data" --log-format logfmt "$@" 2>"$work/log" &
  server=$!
  eventually "the server's ready line" is_ready
  address=$(sed -n 's/.*msg=ready address=\(127.0.0.1:[0-9]*\) .*/\1/p' "$work/log")
  trust
  write_ssh_config
}

is_ready() {
  kill -0 "$server" 2>/dev/null || fail "the server has ended"
  grep -q 'msg=ready' "$work/log"
}

# trust lets the players trust the one key that the log has named.
trust() {
  local public fingerprint
  public=$(ssh-keygen -y -f "$work/data/host_ed25519")
  fingerprint=$(ssh-keygen -l -f - <<<"$public" | cut -d' ' -f2)
  grep -qF "fingerprint=$fingerprint" "$work/log" || fail "the log does not name the host key $fingerprint"
  echo "[127.0.0.1]:${address##*:} $public" >"$work/known_hosts"
}

write_ssh_config() {
  local player
  for player in alice bob carol; do
    ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/$player"
    printf 'Host %s\n  User %s\n  IdentityFile %s\n' "$player" "$player" "$work/$player"
  done >"$work/ssh_config"
  cat >>"$work/ssh_config" <<-END
	Host guest
	  User guest
	  PubkeyAuthentication no
	Host *
	  HostName 127.0.0.1
	  Port ${address##*:}
	  UserKnownHostsFile $work/known_hosts
	  StrictHostKeyChecking yes
	  IdentitiesOnly yes
	  IdentityAgent none
	  SendEnv LANG LC_ALL COLORTERM NO_COLOR
	END
}

# stop_server ends the server in good order.
stop_server() {
  local status=0
  kill -TERM "$server"
  wait "$server" || status=$?
  server=
  [ "$status" = 0 ] || fail "the server ends with status $status"
  if grep -Eq 'DATA RACE|panic' "$work/log"; then fail "the log tells of a fault"; fi
}
