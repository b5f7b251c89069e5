package natsd

import (
	"io"
	"net"
	"testing"
	"time"

	"notakto/match/journaltest"
)

// Each user of a machine reaches its loopback, and could use up the files that the process may open.
func TestClusterHasNoPortForClients(t *testing.T) {
	t.Parallel()
	v, err := newGuestServer(t.Context(), Config{}.withDefaults(), Cluster{
		Name: "test", Listen: "127.0.0.1:-1", Secret: "between us",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	if port := v.embedded.running().Addr(); port != nil {
		t.Errorf("listens for clients at %v", port)
	}
	if v.embedded.running().ClusterAddr() == nil {
		t.Error("does not listen for the other servers")
	}
}

// Each one holds a descriptor of the process, and needs no secret.
func TestSilentConnectionToAClusterIsClosedSoon(t *testing.T) {
	t.Parallel()
	files := journaltest.Certificates(t)
	for name, cluster := range map[string]Cluster{
		"plain": {Name: "test", Listen: "127.0.0.1:-1", Secret: "between us"},
		"TLS": {
			Name: "test", Listen: "127.0.0.1:-1", Secret: "between us", CertFile: files.Cert,
			KeyFile: files.Key, CAFile: files.CA,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := newGuestServer(t.Context(), Config{}.withDefaults(), cluster)
			if err != nil {
				t.Fatal(err)
			}
			defer v.close()
			conn, err := net.Dial("tcp", v.embedded.running().ClusterAddr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if err := conn.SetReadDeadline(time.Now().Add(1800 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Errorf("still open: %v", err)
			}
		})
	}
}
