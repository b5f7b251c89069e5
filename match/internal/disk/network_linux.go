package disk

import "golang.org/x/sys/unix"

// NetworkFileSystem returns the name of the network file system of a directory, empty for another or an unknown
// kind.
func NetworkFileSystem(dir string) string {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return ""
	}
	return networkName(uint32(fs.Type)) //nolint:gosec // the numbers have 32 bits
}

func networkName(kind uint32) string {
	switch kind {
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return "SMB"
	default:
		return ""
	}
}
