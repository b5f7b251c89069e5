//go:build unix

package hostkeys

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// isShared reports whether a file belongs to another user and to a group of this process.
func isShared(stat fs.FileInfo) bool {
	owner, ok := stat.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) == os.Geteuid() {
		return false
	}
	groups, err := os.Getgroups()
	return int(owner.Gid) == os.Getegid() || err == nil && slices.Contains(groups, int(owner.Gid))
}
