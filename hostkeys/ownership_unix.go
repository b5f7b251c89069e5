//go:build unix

package hostkeys

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// ownership reports whether a file belongs to the user and to a group of this process.
func ownership(stat fs.FileInfo) (owned, inGroup bool) {
	owner, ok := stat.Sys().(*syscall.Stat_t)
	if !ok {
		return false, false
	}
	groups, err := os.Getgroups()
	inGroup = int(owner.Gid) == os.Getegid() || err == nil && slices.Contains(groups, int(owner.Gid))
	return int(owner.Uid) == os.Geteuid(), inGroup
}
