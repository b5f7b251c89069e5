package admin

import (
	"strings"
	"testing"
	"time"

	"notakto/sshapp/cli"
)

// clusterServer is a server of a cluster.
type clusterServer struct {
	emptyServer
	peers []Peer
}

func (s clusterServer) Servers() []Peer { return s.peers }

// The list shows which servers do not answer, and how they differ. A server that does not answer gets no request.
func TestServers(t *testing.T) {
	at := time.Date(2026, 11, 25, 3, 43, 17, 0, time.UTC)
	a := Peer{Name: "web1-k3", Up: true, Version: "1.2", Since: at, LastSeen: at, HostKey: "SHA256:x"}
	b := a
	b.Name, b.Up = "web2-q7", false
	list := func(all ...Peer) string {
		t.Helper()
		e := newOperator(t)
		e.Server = clusterServer{peers: all}
		out, complaint, status, _ := runCommand(e, cli.Administrator, "admin", "servers")
		if status != 0 {
			t.Fatalf("%d: %s", status, complaint)
		}
		return out
	}
	out := list(a, b)
	if !strings.Contains(out, "web1-k3  up  ") || strings.Contains(out, "differ") ||
		!strings.Contains(out, "web2-q7  does not answer since 2026-11-25 03:43:17") {
		t.Errorf("two servers:\n%s", out)
	}
	b.HostKey = "SHA256:y"
	if out := list(a, b); !strings.Contains(out, "\nThe host keys differ") || strings.Contains(out, "versions") {
		t.Errorf("with two host keys:\n%s", out)
	}
	b.HostKey, b.Version = a.HostKey, "1.3"
	if out := list(a, b); !strings.Contains(out, "\nThe versions differ") || strings.Contains(out, "keys differ") {
		t.Errorf("of two versions:\n%s", out)
	}
	e := newOperator(t)
	e.Server = clusterServer{peers: []Peer{a, b}}
	for name, want := range map[string]string{"web1-k3": "", "web2-q7": "does not answer", "web3": "there is no server"} {
		_, complaint, status, _ := runCommand(e, cli.Administrator, "admin", "drain", "--node", name)
		if (status == 0) != (want == "") || !strings.Contains(complaint, want) {
			t.Errorf("%s is drained: %d: %s", name, status, complaint)
		}
	}
}
