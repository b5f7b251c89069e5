package disk

import "testing"

func TestNetworkFileSystems(t *testing.T) {
	for kind, want := range map[uint32]string{
		0x6969: "NFS", 0xff534d42: "SMB", 0xfe534d42: "SMB", 0xc36400: "CephFS", 0x5346414f: "AFS", 0xef53: "",
		0x65735546: "",
	} {
		if got := networkName(kind); got != want {
			t.Errorf("file system %#x is %q, want %q", kind, got, want)
		}
	}
	if got := NetworkFileSystem(t.TempDir()); got != "" {
		t.Skip("the temporary directory is on ", got)
	}
}

// FUSE has one number for files of another machine and for those of a disk, such as NTFS.
func TestFUSEFromAnotherMachine(t *testing.T) {
	const mounts = `22 29 0:21 / /proc rw,nosuid shared:12 - proc proc rw
29 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
61 29 0:52 / /srv/far rw,nosuid,nodev - fuse.sshfs ann@far:/srv rw,user_id=0
62 29 0:53 / /srv/usb rw,nosuid,nodev shared:90 - fuseblk /dev/sdb1 rw
63 29 0:54 / /srv/volume rw - fuse.glusterfs far:/volume rw
64 29 0:55
`
	for device, want := range map[string]string{
		"0:52": "sshfs", "0:53": "", "0:54": "glusterfs", "0:55": "", "8:1": "", "0:5": "",
	} {
		if got := fuseName(mounts, device); got != want {
			t.Errorf("device %s is %q, want %q", device, got, want)
		}
	}
}
