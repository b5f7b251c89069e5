#!/usr/bin/env bash
# Uses accounts with OpenSSH's client on small and large terminals. Players claim a name, link the key of a second
# machine, find their settings there, and delete an account or keep it. A guest has no account.
set -euo pipefail
cd "$(dirname "$0")/../.."
source .ci/e2e/lib/server.sh
source .ci/e2e/lib/panes.sh

# asks PLAYER STATUS WORDS...: run `ssh -T PLAYER WORDS` and expect STATUS. The output is in $work/out and $work/err.
asks() {
  local player=$1 want=$2 status=0
  shift 2
  say "ssh -T $player $*"
  ssh -F "$work/ssh_config" -T "$player" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  [ "$status" = "$want" ] || fail "the status is $status, not $want: $(cat "$work/out" "$work/err")"
}

prints() { grep -Eq -- "$1" "$work/out" || fail "standard output has no /$1/: $(cat "$work/out")"; }
warns() { grep -Eq -- "^notakto: .*$1" "$work/err" || fail "standard error has no /$1/: $(cat "$work/err")"; }

build
open_server

asks alice 0 me
prints '^You are alice\. Your account is [a-z2-7]{16}\.$'
id=$(sed -n 's/.*Your account is \([a-z2-7]*\)\..*/\1/p' "$work/out")
asks alice 0 name Ann
asks bob 1 name ANN
warns 'another player has claimed'
asks guest 1 name gail
warns 'make a key with ssh-keygen'

asks alice 0 key add
code=$(sed -n 's/.* key link \([A-Z0-9]*\)$/\1/p' "$work/out")
asks bob 1 key link CCCCCCCC
warns 'this code is wrong'
asks bob 0 key link "$code"
asks bob 0 me --json
prints "^\{\"id\":\"$id\",\"name\":\"Ann\","

# A setting from one machine applies at the other, at any size.
pane small 40 16
types small 'wiped; ssh -t alice'
sees small 'Ann'
press small t
sees small 'Colours: dark'
press small C-c
press small C-c
sees small 'status=0 ready>'
pane large 120 40
types large 'wiped; ssh -t bob'
sees large 'Ann'
press large t
sees large 'Colours: light'
press large C-c
press large C-c
sees large 'status=0 ready>'
asks alice 0 me export
prints '"preferences":\{"theme":"light"\}'
prints '"kind":"link"'

pane delete 80 24
types delete 'ssh -t bob me delete'
sees delete 'Type your name, Ann,'
types delete 'bob'
sees delete 'not the name of the account' 'status=1 ready>'
types delete 'wiped; ssh -t bob me delete'
sees delete 'Type your name, Ann,'
types delete 'Ann'
sees delete 'will be deleted on' 'status=0 ready>'
types delete 'wiped; ssh -t alice'
sees delete 'Your account will be deleted on'
press delete C-c
press delete C-c
sees delete 'status=0 ready>'
asks alice 0 me undo
asks alice 1 me undo
warns 'not going to be deleted'

asks carol 0 me
asks bob 0 key remove "$id"
asks alice 0 me
prints '^You are alice\.'
asks bob 0 name
prints '^You are Ann\.'

if grep -q 'player=SHA256' "$work/log"; then fail 'the log has the fingerprint of a player'; fi
stop_server
say "all passed in $SECONDS s"
