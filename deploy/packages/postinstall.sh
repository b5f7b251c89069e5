#!/bin/sh
# Makes the user and the directories. A server that runs goes on with the new version; a new installation starts nothing.
set -e
state=$DPKG_ROOT/var/lib/notakto
systemd=
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then systemd=yes; fi
start=
# Up to release 1.0 the service had a dynamic user, which is there while it runs, and hides that there is no other. Its
# directories are links. systemd moves them when a service with the new user starts.
if [ "$systemd" ] && [ -L "$state" ] && systemctl --quiet is-active notakto.service; then
  systemctl stop notakto.service
  start=yes
fi
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers ${DPKG_ROOT:+--root="$DPKG_ROOT"} notakto.conf
  [ -L "$state" ] || [ -L "$state-backups" ] || systemd-tmpfiles ${DPKG_ROOT:+--root="$DPKG_ROOT"} --create notakto.conf
elif [ -e /etc/alpine-release ] && ! id notakto >/dev/null 2>&1; then
  addgroup -S notakto
  adduser -S -D -H -h "$state" -s /sbin/nologin -G notakto notakto
  install -d -m 0700 -o notakto -g notakto "$state" "$state-backups"
fi
if [ "$systemd" ]; then
  systemctl daemon-reload
  systemctl try-restart notakto.service
  [ -z "$start" ] || systemctl start notakto.service
fi
