package disk

import "golang.org/x/sys/unix"

// Free returns the number of bytes that this process may still write to the file system of dir.
func Free(dir string) (uint64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, err
	}
	return uint64(max(fs.F_bavail, 0)) * uint64(fs.F_bsize), nil
}
