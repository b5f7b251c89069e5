//go:build unix

package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// GiveToOwner gives the directory tree, and everything in it, to the owner and the group of the directory dir. Unless
// the process is root, it changes nothing.
func GiveToOwner(tree, dir string) error {
	stat, err := os.Stat(dir)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	owner, ok := stat.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return filepath.WalkDir(tree, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(owner.Uid), int(owner.Gid))
	})
}
