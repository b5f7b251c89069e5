package disk

import "testing"

func TestNetworkFileSystems(t *testing.T) {
	for kind, want := range map[uint32]string{0x6969: "NFS", 0xff534d42: "SMB", 0xfe534d42: "SMB", 0xef53: ""} {
		if got := networkName(kind); got != want {
			t.Errorf("file system %#x is %q, want %q", kind, got, want)
		}
	}
	if got := NetworkFileSystem(t.TempDir()); got != "" {
		t.Skip("the temporary directory is on ", got)
	}
}
