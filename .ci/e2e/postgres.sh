#!/usr/bin/env bash
# Runs the tests that need PostgreSQL, of the store and of servers that share a database, on a temporary cluster. Some
# tests restart the database without a checkpoint. Flags go to the tests of the store.
set -euo pipefail
cd "$(dirname "$0")/../.."

binaries() { find /usr/lib/postgresql -name initdb -printf '%h\n' 2>/dev/null | sort -V | tail -n 1; }

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
if [ -z "$(binaries)" ]; then
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" apt-get install -q -y --no-install-recommends postgresql
fi
bin=$(binaries)
readonly bin

work=$(mktemp -d)
# PostgreSQL refuses to run as root. Debian's package creates the user postgres.
as_server=()
if [ "$(id -u)" = 0 ]; then
  as_server=(setpriv --reuid postgres --regid postgres --clear-groups --)
  chown postgres:postgres "$work"
fi
cleanup() {
  "${as_server[@]}" "$bin/pg_ctl" --pgdata "$work/data" --mode immediate stop >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap cleanup EXIT

"${as_server[@]}" "$bin/initdb" --pgdata "$work/data" --auth trust --username postgres --encoding UTF8 --locale C.UTF-8 \
  >"$work/init.log" 2>&1 || { cat "$work/init.log" >&2; exit 1; }
port=$((30000 + RANDOM % 1300)) # Linux gives ports from 32768 on, and other scripts use others
cat >>"$work/data/postgresql.conf" <<END
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$work'
max_connections = 200
fsync = off
END
"${as_server[@]}" "$bin/pg_ctl" --pgdata "$work/data" --wait --log "$work/server.log" start >/dev/null ||
  { cat "$work/server.log" >&2; exit 1; }

export NOTAKTO_POSTGRES=postgres://postgres@127.0.0.1:$port
export NOTAKTO_POSTGRES_RESTART="${as_server[*]} $bin/pg_ctl --pgdata $work/data --wait --timeout 300 --mode immediate --log $work/server.log restart"
files=$(grep -l '^//go:build postgres$' match/store/*_test.go)
tests=$(sed -n 's/^func \(Test[A-Za-z0-9_]*\).*/\1/p' $files | paste -sd '|')
# Without the race detector in SQLite, as in .ci/run.
GOFLAGS=-gcflags=modernc.org/sqlite/lib=-race=false \
  go test -race -vet=off -tags postgres -count 1 -run "^($tests)\$" "$@" ./match/store
go test -tags postgres -count 1 -run 'TestSeveralServersAreOne|TestAMatchOutlivesItsServers' ./cmd/notakto
