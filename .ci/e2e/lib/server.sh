# Functions to run a server on a free port, with keys for its players. The scripts of the directory above source this
# file. Data, logs and keys are in $work. cleanup stops all processes and removes $work at the end of the script.
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

# fail MESSAGE: print the screen of every pane, the end of the server's log and the message, and end the script.
fail() {
  {
    if [ -S "$work/tmux" ]; then show_panes; fi
    echo "--- the end of the server's log"
    tail -n 30 "$work/log" || true
    echo "e2e: $*"
  } >&2
  exit 1
}

# eventually WHAT COMMAND...: repeat a command until it succeeds, for half a minute at most. A repetition must do no
# harm.
eventually() {
  local what=$1
  shift
  for _ in $(seq 600); do
    if "$@"; then return; fi
    sleep 0.05
  done
  fail "waited in vain for $what"
}

# build: build the program with the race detector, or use E2E_PROGRAM. A data race makes the program end with a status
# that stop_server rejects.
build() {
  if [ -n "${E2E_PROGRAM-}" ]; then
    ln -s "$E2E_PROGRAM" "$work/notakto"
  else
    go build -race -o "$work/notakto" ./cmd/notakto
  fi
}

# open_server FLAG...: start the server and write a configuration for OpenSSH. The configuration trusts the host key
# of the log. The players alice, bob and carol have keys, and guest has no key.
open_server() {
  start_server "$@"
  trust
  write_ssh_config
}

# start_server FLAG...: start the server and set its address.
start_server() {
  : >"$work/log"
  env -i HOME="$work" PATH="$PATH" "$work/notakto" --listen 127.0.0.1:0 --data "$work/data" --log-format logfmt "$@" 2>"$work/log" &
  server=$!
  eventually "the server's ready line" is_ready
  address=$(sed -n 's/.*msg=ready address=\(127.0.0.1:[0-9]*\) .*/\1/p' "$work/log")
}

is_ready() {
  kill -0 "$server" 2>/dev/null || fail "the server has ended"
  grep -q 'msg=ready' "$work/log"
}

# trust: make the players trust the host key, after a check of its fingerprint in the log.
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

# stop_server: stop the server with SIGTERM, and fail after a bad status or a fault in the log.
stop_server() {
  local status=0
  kill -TERM "$server"
  wait "$server" || status=$?
  server=
  [ "$status" = 0 ] || fail "the server ends with status $status"
  if grep -Eq 'DATA RACE|panic' "$work/log"; then fail "the log tells of a fault"; fi
}
