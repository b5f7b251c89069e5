#!/bin/sh
# Stops the server before its program is removed, not before an upgrade. Settings and data stay.
set -e
case "$1" in
  upgrade | [1-9]*) exit 0 ;;
esac
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl disable --now notakto-backup.timer notakto.socket notakto.service
fi
