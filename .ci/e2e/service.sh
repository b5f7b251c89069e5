#!/usr/bin/env bash
# Runs the service under systemd with all limits of deploy/notakto.service. systemd must restart a killed process, and
# the match must go on. Then the service is stopped, started with deploy/notakto.socket, and run on a disk that fills
# up. The journal may have warnings only about faults that the operator must mend.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh

prepare() { # prepare ROOT
  mkdir -p "$1/var/lib/private"
  mount -t tmpfs -o size=200m,mode=700 tmpfs "$1/var/lib/private" # the disk that fills up
  install -D -m 755 "$work/notakto" "$1/usr/local/bin/notakto"
  install -D -m 644 -t "$1/etc/systemd/system" deploy/notakto{,-backup}.service deploy/notakto.socket
  install -D -m 644 /dev/stdin "$1/etc/systemd/system/notakto.socket.d/port.conf" <<<"[Socket]
ListenStream=
ListenStream=127.0.0.1:$port"
  ssh-keygen -q -t ed25519 -N '' -f "$work/next"
  install -D -m 600 "$work/next" "$1/etc/credstore/notakto.next-host-key"
}
source .ci/e2e/lib/systemd.sh "$@"

# backed_up NUMBER: make a backup, expect NUMBER backups, and wait for the next second. Two backups of one second
# would have one name.
backed_up() {
  local before
  before=$(date +%s)
  inside systemctl start notakto-backup || fail "no backup: $(inside systemctl status --no-pager notakto-backup)"
  set -- "$1" "/proc/$init/root/var/lib/private/notakto-backups"/notakto-*.tar
  [ $(($# - 1)) = "$1" ] || fail "there are other backups than $1: $*"
  "$work/notakto" verify "${!#}" >"$work/verified" || fail 'a backup cannot be restored'
  next_second() { [ "$(date +%s)" -gt "$((before + 1))" ]; }
  eventually 'the next second' next_second
}

port=$((31400 + RANDOM % 1300)) # for notakto.socket; Linux gives ports from 32768 on, other scripts use 10000 to 31399
export port
go build -o "$work/notakto" ./cmd/notakto
start_systemd

eventually 'the service' ready 1
shows() { inside systemctl show -p "${1%%=*}" notakto | grep -qxF "$1"; }
eventually 'systemd to know that it is ready' shows 'ActiveState=active'
eventually 'the status' shows 'StatusText=sessions: 0, matches being played: 0'
shows 'WatchdogUSec=1min' || fail 'the service has no watchdog'
meet
write_ssh_config
process=$(inside systemctl show --value -p MainPID notakto)
for line in 'CapEff:	0000000000000000' 'CapBnd:	0000000000000000' 'NoNewPrivs:	1' 'Seccomp:	2'; do
  inside grep -qxF "$line" "/proc/$process/status" || fail "the process lacks $line"
done
inside notakto admin --data /var/lib/notakto host-key >"$work/out"
hears "$(ssh-keygen -l -f "$work/next.pub" | cut -d' ' -f2)" # a credential
backed_up 1
says '{"do":"computer","variant":"notakto/3","level":"perfect","seat":1}' '{"do":"ping","n":1}'
hears '"event":"match"'
match=$(sed -n 's/.*"event":"match","match":"\([a-z0-9]*\)".*/\1/p' "$work/out")

say 'killed'
inside kill -KILL "$process"
eventually 'the service once more' ready 2
meet
says "{\"do\":\"state\",\"match\":\"$match\"}" "{\"do\":\"move\",\"match\":\"$match\",\"move\":\"A5\"}" '{"do":"ping","n":2}'
hears '"event":"move".*"move":"A5"'

say 'stopped'
inside systemctl stop notakto
for property in ActiveState=inactive Result=success ExecMainStatus=0 NRestarts=1; do
  [ "$(inside systemctl show -p "${property%%=*}" notakto)" = "$property" ] || fail "want $property: $(inside systemctl status --no-pager notakto)"
done

backed_up 2

say 'with a socket'
inside systemctl start notakto.socket notakto # returns once the server is ready
shows 'StatusText=sessions: 0, matches being played: 0' || fail 'systemctl start returns before the server is ready'
eventually 'the service with its socket' ready 3
meet
says '{"do":"ping","n":3}'
hears '"n":3'
inside systemctl stop notakto
says '{"do":"ping","n":4}' # the connection starts the service
hears '"n":4'
inside systemctl stop notakto.socket

say "a client's fault causes no warning"
if scp -F "$work/ssh_config" -P "${address##*:}" -O "$work/ssh_config" alice:/ 2>"$work/out"; then fail 'scp sends a file'; fi
hears 'there are no files here'
echo garbage >"/dev/tcp/127.0.0.1/${address##*:}"
refused() { inside journalctl -u notakto -o cat --no-pager >"$work/log" && grep -q "reason=$1" "$work/log"; }
eventually 'the log to tell of scp' refused no-files
eventually 'the log to tell of garbage' refused login-failed
if grep -Eq 'level=(warn|error|fatal)|panic' "$work/log"; then fail 'the log tells of a fault'; fi
warnings() { inside journalctl -u notakto _COMM=notakto -p warning -o cat --no-pager -q; } # without warnings of systemd itself
[ -z "$(warnings)" ] || fail "the journal has warnings: $(warnings)"

say 'the disk fills up'
meet
health() { inside notakto health --status "$status" >"$work/health" 2>&1; }
# is_full pauses after a failure: the server reads the free space once a minute, so eventually must wait longer.
is_full() {
  if ! health && grep -q 'disk' "$work/health"; then return; fi
  sleep 0.15
  return 1
}
health || fail "the service is not well: $(cat "$work/health")"
inside dd if=/dev/zero of=/var/lib/private/filler bs=4k status=none 2>/dev/null || true # dd fails once the disk is full
eventually 'the server to be told of the disk' is_full
warned() { grep -q 'event=recording-stopped' <<<"$(warnings)"; }
eventually 'the warning in the journal' warned
inside rm /var/lib/private/filler
eventually 'the server to be told of the room' health
inside systemctl stop notakto
