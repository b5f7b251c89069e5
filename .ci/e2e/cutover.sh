#!/usr/bin/env bash
# Gives port 22 of a machine to the server, with the commands of docs/public.md. First the machine's own sshd moves to
# port 2200, then each of the two has an address of its own. The administrator must always get in, on a new connection
# and on the open one. The machine is a network and mount namespace with the real sshd, so the script needs root. On a
# machine that does not allow namespaces, it prints NOT CHECKED and succeeds.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${1-}" != inside ]; then
  # Built here, because the namespace has no network. E2E_PROGRAM makes lib/server.sh use the program.
  built=$(mktemp -d)
  trap 'rm -rf "$built"' EXIT
  go build -o "$built/notakto" ./cmd/notakto
  unshare --net --mount true 2>"$built/why" || { echo "NOT CHECKED: the move to port 22: $(cat "$built/why")"; exit; }
  E2E_PROGRAM="$built/notakto" unshare --net --mount --pid --fork --kill-child --mount-proc "$0" inside
  exit
fi
source .ci/e2e/lib/server.sh

# admin PORT ADDRESS COMMAND...: log in to the machine as its administrator.
admin() { client "$work/admin" "$work/known_hosts" -p "$1" "root@$2" "${@:3}"; }

# player ADDRESS: ask the server for its version, as a client that knows the server's key from serve.
player() { client "$work/bob" "$work/pinned" "bob@$1" version >"$work/out" && grep -q '^notakto ' "$work/out"; }

# client KEY KNOWN_HOSTS ARGUMENT...: run ssh with these files and no others.
client() {
  ssh -F none -i "$1" -o UserKnownHostsFile="$2" -o GlobalKnownHostsFile=none -o IdentityAgent=none \
    -o StrictHostKeyChecking=accept-new -o HashKnownHosts=no -o ConnectTimeout=10 "${@:3}" </dev/null 2>"$work/err"
}

# set_sshd LINE...: write the file that docs/public.md names, check it, and reload sshd as systemctl does.
set_sshd() {
  printf '%s\n' "$@" >/etc/ssh/sshd_config.d/notakto.conf
  sshd -t && kill -HUP "$(cat /run/sshd.pid)" # without the check, a fault would end sshd
}

# greets PORT ADDRESS PROGRAM: wait until the greeting at the port is that of OpenSSH or Notakto, or missing for none.
greets() {
  greeting() { { exec 3<>"/dev/tcp/$2/$1" && head -n 1 <&3; } 2>/dev/null | sed 's/^SSH-2.0-\([A-Za-z]*\).*/\1/'; }
  is_greeted() { [ "$(greeting "$1" "$2")" = "${3#none}" ]; }
  eventually "$3 at port $1 of $2" is_greeted "$@"
}

# serve ADDRESS HOST: restart the server on port 22 of ADDRESS, and write the line of its key for HOST to pinned.
serve() {
  if [ -n "$server" ]; then stop_server; fi
  : >"$work/log"
  "$work/notakto" --data "$work/data" --config '' --log-format logfmt --listen "$1:22" 2>"$work/log" &
  server=$!
  eventually 'the ready line' is_ready
  "$work/notakto" host-key --data "$work/data" --public-address "$2" | sed -n "s/^  \($2 .*\)/\1/p" >"$work/pinned"
}

export PATH=$PATH:/usr/sbin:/sbin
ip link set lo up
ip address add 192.0.2.1/32 dev lo
ip address add 192.0.2.2/32 dev lo
mount -t tmpfs tmpfs /run
mkdir -p /run/sshd "$work/etc/sshd_config.d"
ssh-keygen -q -t ed25519 -N '' -f "$work/etc/ssh_host_ed25519_key"
for name in admin bob; do ssh-keygen -q -t ed25519 -N '' -f "$work/$name"; done
cat >"$work/etc/sshd_config" <<END
Include /etc/ssh/sshd_config.d/*.conf
AuthorizedKeysFile $work/admin.pub
StrictModes no
SetEnv SHLVL=1 # so that bash does not read the files of the machine's root
END
mount --bind "$work/etc" /etc/ssh
build
: >"$work/log"
"$(command -v sshd)"
greets 22 192.0.2.1 OpenSSH

say 'the machine as it was: its sshd has port 22'
client "$work/admin" "$work/known_hosts" -M -S "$work/first" -fN root@192.0.2.1 || fail "no login: $(cat "$work/err")"
refused=0
timeout 20 "$work/notakto" --data "$work/data" --config '' --listen :22 2>"$work/out" || refused=$?
case $refused in 0 | 124) fail 'two programs have one port' ;; esac
grep -q 'another program has that port' "$work/out" || fail "it says $(cat "$work/out")"

say 'sshd at both ports, and a login at the new one'
set_sshd 'Port 22' 'Port 2200'
greets 2200 192.0.2.1 OpenSSH
admin 2200 192.0.2.1 true
admin 22 192.0.2.1 true

say 'a fault in the file leaves sshd as it is'
if set_sshd 'Port 2200x' 2>"$work/out"; then fail 'sshd -t takes a wrong port'; fi
admin 22 192.0.2.1 true

say 'sshd at the new port only, and the server at 22'
set_sshd 'Port 2200'
greets 22 192.0.2.1 none
serve '' 192.0.2.1
greets 22 192.0.2.1 Notakto
player 192.0.2.1
admin 2200 192.0.2.1 true
ssh -F none -S "$work/first" root@192.0.2.1 true || fail 'the open connection is gone'
# The administrator's known_hosts still has the key of sshd for port 22.
if admin 22 192.0.2.1 true; then fail 'the server lets an administrator of the machine in'; fi
grep -q 'REMOTE HOST IDENTIFICATION HAS CHANGED' "$work/err" || fail "ssh says $(cat "$work/err")"
ssh-keygen -R 192.0.2.1 -f "$work/known_hosts" >/dev/null 2>&1
client "$work/bob" "$work/known_hosts" bob@192.0.2.1 version >"$work/out"

say 'or each at an address of its own'
stop_server # frees port 22 for sshd
set_sshd 'ListenAddress 192.0.2.1'
greets 22 192.0.2.1 OpenSSH
serve 192.0.2.2 192.0.2.2
greets 22 192.0.2.2 Notakto
player 192.0.2.2
ssh-keygen -R 192.0.2.1 -f "$work/known_hosts" >/dev/null 2>&1
admin 22 192.0.2.1 true
stop_server
kill "$(cat /run/sshd.pid)"
say "all passed in $SECONDS s"
