//go:build linux || darwin || freebsd

package disk

import "golang.org/x/sys/unix"

// Free returns the number of bytes that this process may still write to the file system of dir.
func Free(dir string) (uint64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, err
	}
	return uint64(fs.Bavail) * uint64(fs.Bsize), nil //nolint:unconvert // on other systems the types are others
}
