# Functions to run the service under a systemd that is the first process in namespaces of its own. Its files are an
# overlay over this machine's files. The script needs root. On a machine that does not allow namespaces or mounts,
# start_systemd prints NOT CHECKED and ends the script with success.
#
# A script sources this file with its own arguments, after server.sh and after it has defined prepare. prepare ROOT
# changes the files before systemd starts.
# shellcheck shell=bash

# contain WORK: build the namespaces' files and become systemd. The file WORK/able says that the machine allows the
# mounts, and WORK/built that all files are in place.
contain() {
  local work=$1 root=$1/machine/root
  mount --make-rprivate /
  mkdir "$work/machine"
  mount -t tmpfs tmpfs "$work/machine"
  mkdir "$work"/machine/{over,index,root}
  mount -t overlay overlay -o "lowerdir=/,upperdir=$work/machine/over,workdir=$work/machine/index" "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs sysfs "$root/sys"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/run"
  mount -t tmpfs tmpfs "$root/tmp"
  : >"$work/able"
  prepare "$root"
  install -D -m 644 /dev/stdin "$root/etc/default/notakto" <<<$'NOTAKTO_LISTEN=127.0.0.1:0\nNOTAKTO_STATUS_LISTEN=127.0.0.1:0\nNOTAKTO_LOG_FORMAT=logfmt'
  install -D -m 644 /dev/stdin "$root/etc/systemd/system/try.target" <<<$'[Unit]\nRequires=systemd-journald.service\nWants=notakto.service'
  tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"
  : >"$work/built"
  cd "$root"
  mkdir old
  pivot_root . old
  umount -l old
  mount --make-rshared / # systemd mounts credentials in another namespace
  exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=try.target --show-status=no
}

unable() {
  say "NOT CHECKED: $1"
  exit
}

# start_systemd: start it. $work/data leads to the server's data.
start_systemd() {
  [ "$(id -u)" = 0 ] || unable 'systemd in a container takes root'
  : >"$work/log"
  unshare --fork --kill-child --pid --mount --uts --ipc --cgroup "$0" contain "$work" >"$work/boot" 2>&1 &
  server=$!
  built_or_ended() { [ -e "$work/built" ] || ! kill -0 "$server" 2>/dev/null; }
  eventually 'the container' built_or_ended
  [ -e "$work/able" ] || unable "$(tail -n 1 "$work/boot")"
  [ -e "$work/built" ] || fail "the container has ended: $(cat "$work/boot")"
  init=$(tr -d ' ' <"/proc/$server/task/$server/children")
  ln -s "/proc/$init/root/var/lib/notakto" "$work/data"
}

# inside COMMAND...: run a command in the namespaces of that systemd.
inside() { nsenter --target "$init" --all "$@"; }

# ready TIMES: report whether the service has become ready that many times, and copy its log to $work/log.
ready() {
  kill -0 "$server" 2>/dev/null || fail 'systemd has ended'
  inside journalctl --sync 2>/dev/null || true # the journal may not have the last lines yet
  inside journalctl -u notakto -o cat --no-pager >"$work/log" 2>/dev/null && [ "$(grep -c 'msg=ready' "$work/log")" = "$1" ]
}

# meet: read the addresses of the last ready line and trust its host key.
meet() {
  address=$(sed -n 's/.*msg=ready address=\(127.0.0.1:[0-9]*\) .*/\1/p' "$work/log" | tail -n 1)
  status=$(sed -n 's/.*msg=ready .* status=\(127.0.0.1:[0-9]*\).*/\1/p' "$work/log" | tail -n 1)
  trust
}

# says LINE...: send lines to the bot protocol. The answer is in $work/out.
says() { printf '%s\n' "$@" | ssh -F "$work/ssh_config" -p "${address##*:}" -T alice bot >"$work/out"; }

hears() { grep -q -- "$1" "$work/out" || fail "there is no $1, but: $(cat "$work/out")"; }

if [ "${1-}" = contain ]; then
  rmdir "$work" # server.sh has made a new one
  trap - EXIT ERR
  contain "$2"
fi
