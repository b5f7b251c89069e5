package sshapp

import (
	"strings"
	"testing"
)

// HOST was printed literally in commands that players are to copy.
func TestPublicAddressIsInCommandsToCopy(t *testing.T) {
	for address, want := range map[string]string{
		"": "HOST", "play.example.org": "play.example.org", "play.example.org:22": "play.example.org",
		"play.example.org:2222": "-p 2222 play.example.org", "2001:db8::1": "2001:db8::1",
		"[2001:db8::1]:2222": "-p 2222 2001:db8::1",
	} {
		if got := (Config{PublicAddress: address}).host(); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
	h := startServer(t, func(o *options) { o.publicAddress = "play.example.org:2222" })
	host := newPersonAt(t, h.dial("alice", newKey(t, 1)), "play --private")
	host.sees("ssh -t -p 2222 play.example.org join")
	for command, want := range map[string]string{
		"help play": "ssh -t -p 2222 play.example.org play --private",
		"nonsense":  "(ssh -p 2222 play.example.org help says more)",
		"plain":     "or starts with ssh -t -p 2222 play.example.org join",
	} {
		session, err := h.dial("bob", newKey(t, 2)).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		session.Stdin = strings.NewReader("private\nquit\n")
		if out, _ := session.CombinedOutput(command); !strings.Contains(string(out), want) ||
			strings.Contains(string(out), "HOST") {
			t.Errorf("%s prints %s", command, out)
		}
	}
}
