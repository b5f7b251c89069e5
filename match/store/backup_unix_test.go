//go:build unix

package store

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// An operator restored a backup as root into the directory of the service's user. The server could not read the files.
func TestARestoreGivesTheFilesToTheOwnerOfTheDirectory(t *testing.T) {
	s, dir := openIn(t, t.TempDir()), t.TempDir()
	playSome(t, s)
	user, group := os.Geteuid(), os.Getegid()
	if user == 0 {
		user, group = 65534, 65533
		ok(t, os.Chown(dir, user, group))
	}
	_, _, err := RestoreBackup(t.Context(), bytes.NewReader(backUp(t, s, map[string][]byte{"host_key": nil})), dir,
		silent())
	ok(t, err)
	for _, name := range [...]string{FileName, "host_key"} {
		stat, err := os.Stat(filepath.Join(dir, name))
		ok(t, err)
		if owner := stat.Sys().(*syscall.Stat_t); int(owner.Uid) != user || user == 65534 && int(owner.Gid) != group {
			t.Errorf("%s belongs to %d:%d, not to %d:%d", name, owner.Uid, owner.Gid, user, group)
		}
	}
}
