package clusterfiles_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/internal/clusterfiles"
)

func TestParseNodes(t *testing.T) {
	t.Parallel()
	nodes, err := clusterfiles.ParseNodes([]string{
		"10.0.0.1", "10.0.0.1:7000", "fd00::1", "[fd00::2]", "[fd00::2]:7000", "one.example.org", "two:7000",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"10.0.0.1:6222", "10.0.0.1:7000", "[fd00::1]:6222", "[fd00::2]:6222", "[fd00::2]:7000", "one.example.org:6222",
		"two:7000",
	}
	for i, n := range nodes {
		if n.String() != want[i] {
			t.Errorf("node %d is %s, want %s", i, n, want[i])
		}
	}
}

// Each node proves by its certificate, which the cluster's authority signed, that it is the host that the others
// connect to, and that it may connect to them. Only the owner reads the files.
func TestEveryNodeHasACertificateForItsAddress(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	nodes := []clusterfiles.Node{
		{Host: "10.0.0.1", Port: 6222}, {Host: "fd00::2", Port: 1}, {Host: "three.test", Port: 6222},
	}
	folders, err := clusterfiles.Write(dir, nodes, 2222, time.Now())
	if err != nil || len(folders) != len(nodes) {
		t.Fatal(folders, err)
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(read(t, filepath.Join(dir, "ca.pem"))) {
		t.Fatal("ca.pem has no certificate")
	}
	for i, folder := range folders {
		pair, err := tls.LoadX509KeyPair(filepath.Join(folder, "node.pem"), filepath.Join(folder, "node.key"))
		if err != nil {
			t.Fatal(err)
		}
		for _, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
			if _, err := pair.Leaf.Verify(x509.VerifyOptions{
				DNSName: nodes[i].Host, Roots: authorities, KeyUsages: []x509.ExtKeyUsage{usage},
			}); err != nil {
				t.Errorf("%s: %v", nodes[i], err)
			}
		}
		if got := len(pair.Leaf.IPAddresses) == 1; got != (net.ParseIP(nodes[i].Host) != nil) {
			t.Errorf("%s has the addresses %v", nodes[i], pair.Leaf.IPAddresses)
		}
		for _, name := range []string{"host_ed25519", "secret", "ca.pem"} {
			if !slices.Equal(read(t, filepath.Join(folder, name)), read(t, filepath.Join(folders[0], name))) {
				t.Errorf("%s of %s differs from that of the first", name, folder)
			}
		}
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 || f.Name() == "ca.key" {
				t.Errorf("%s of %s: %v (%v)", f.Name(), folder, info.Mode(), err)
			}
		}
	}
	settings := string(read(t, filepath.Join(folders[1], "notakto.toml")))
	for _, line := range []string{
		`listen = ":2222"`, `cluster-listen = "[fd00::2]:1"`, `cluster-peer = ["10.0.0.1:6222", "three.test:6222"]`,
	} {
		if !strings.Contains(settings, "\n"+line+"\n") {
			t.Errorf("the settings lack %s:\n%s", line, settings)
		}
	}
	if _, err := clusterfiles.Write(dir, nodes, 2222, time.Now()); err == nil {
		t.Error("the files of a cluster are replaced")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
