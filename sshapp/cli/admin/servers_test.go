package admin

import (
	"strings"
	"testing"
	"time"

	"notakto/sshapp/cli"
)

// shared is a server that shares its database.
type shared struct {
	nothing
	peers []Peer
}

func (s shared) Servers() []Peer { return s.peers }

// The list of servers shows which do not answer, and what differs between them. One that does not answer is not told
// anything.
func TestServers(t *testing.T) {
	at := time.Date(2026, 11, 25, 3, 43, 17, 0, time.UTC)
	a := Peer{Name: "web1-k3", Up: true, Version: "1.2", Since: at, LastSeen: at, HostKey: "SHA256:x"}
	b := a
	b.Name, b.Up = "web2-q7", false
	list := func(all ...Peer) string {
		t.Helper()
		e := onNothing(t)
		e.Server = shared{peers: all}
		out, complaint, status, _ := runs(e, cli.Administrator, "admin", "servers")
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
	e := onNothing(t)
	e.Server = shared{peers: []Peer{a, b}}
	for name, want := range map[string]string{"web1-k3": "", "web2-q7": "does not answer", "web3": "there is no server"} {
		_, complaint, status, _ := runs(e, cli.Administrator, "admin", "drain", "--node", name)
		if (status == 0) != (want == "") || !strings.Contains(complaint, want) {
			t.Errorf("%s is drained: %d: %s", name, status, complaint)
		}
	}
}
