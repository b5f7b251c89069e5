package disk

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// NetworkFileSystem returns the name of the network file system of a directory, empty for another or an unknown
// kind.
func NetworkFileSystem(dir string) string {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return ""
	}
	kind := uint32(fs.Type) //nolint:gosec // the numbers have 32 bits
	if kind != unix.FUSE_SUPER_MAGIC {
		return networkName(kind)
	}
	var stat unix.Stat_t
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err == nil {
		err = unix.Stat(dir, &stat)
	}
	if err != nil {
		return ""
	}
	return fuseName(string(mounts), fmt.Sprintf("%d:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev)))
}

func networkName(kind uint32) string {
	switch kind {
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return "SMB"
	case unix.CEPH_SUPER_MAGIC:
		return "CephFS"
	case unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC:
		return "AFS"
	default:
		return ""
	}
}

// fuseName returns the kind of the file system with the number device, in the text of /proc/self/mountinfo, if FUSE
// brings the files from another machine.
func fuseName(mounts, device string) string {
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if len(place) < 3 || place[2] != device || len(kind) == 0 {
			continue
		}
		switch name, _ := strings.CutPrefix(kind[0], "fuse."); name {
		case "sshfs", "glusterfs", "ceph", "ceph-fuse", "rclone", "s3fs", "davfs", "gcsfuse":
			return name
		}
	}
	return ""
}
