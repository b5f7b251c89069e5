package hostkeys

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

// The expected values are those of ssh-keygen -l, -y and -r. .ci/e2e/openssh.sh asks the ssh-keygen that is installed.
func TestAKeyIsPublishedAsOpenSSHPrintsIt(t *testing.T) {
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)))
	testkit.OK(t, err)
	testkit.Equal(t, Fingerprint(key), "SHA256:z/fSv0Z0RZS+Lccbc6ZoOWwt/fbj1VFJGSBKQbo4icE")
	const (
		public = " ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOpKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs"
		hash   = " IN SSHFP 4 2 cff7d2bf46744594be2dc71b73a668396c2dfdf6e3d5514919204a41ba3889c1"
	)
	for address, want := range map[Address]struct{ host, record string }{
		"play.example.org":       {"play.example.org", "play.example.org." + hash},
		"Play.Example.org.":      {"play.example.org.", "play.example.org." + hash},
		"play.example.org:22":    {"play.example.org", "play.example.org." + hash},
		"play.example.org:2222":  {"[play.example.org]:2222", "play.example.org." + hash},
		"192.0.2.7":              {"192.0.2.7", ""},
		"192.0.2.7:2222":         {"[192.0.2.7]:2222", ""},
		"2001:db8::7":            {"2001:db8::7", ""},
		"[2001:db8::7]:22":       {"2001:db8::7", ""},
		"[2001:DB8::7]:2222":     {"[2001:db8::7]:2222", ""},
		"localhost:2222":         {"[localhost]:2222", "localhost." + hash},
		"xn--bcher-kva.example.": {"xn--bcher-kva.example.", "xn--bcher-kva.example." + hash},
	} {
		testkit.Equal(t, address.KnownHosts(key.PublicKey()), want.host+public)
		testkit.Equal(t, address.SSHFP(key.PublicKey()), want.record)
	}
}
