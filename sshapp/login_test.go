package sshapp

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"math/big"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/internal/wire"
)

// signer returns a signer of key that uses the first of algorithms that the server offers, or its default one.
func signer(t *testing.T, key any, algorithms ...string) gossh.Signer {
	t.Helper()
	plain, err := gossh.NewSignerFromKey(key)
	testkit.OK(t, err)
	if len(algorithms) == 0 {
		return plain
	}
	chosen, err := gossh.NewSignerWithAlgorithms(plain.(gossh.AlgorithmSigner), algorithms)
	testkit.OK(t, err)
	return chosen
}

func rsaKey(t *testing.T, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	testkit.OK(t, err)
	return key
}

func ecdsaKey(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	testkit.OK(t, err)
	return key
}

// Logins with SHA-1 signatures, RSA keys of 1,024 bits and DSA keys once succeeded, against docs/security.md.
func TestOnlySafeKeysLogIn(t *testing.T) {
	h := startServer(t)
	long := rsaKey(t, 2048)
	for name, one := range map[string]struct {
		key    gossh.Signer
		isSafe bool
	}{
		"ed25519":              {newKey(t, 1), true},
		"ecdsa 256":            {signer(t, ecdsaKey(t, elliptic.P256())), true},
		"ecdsa 384":            {signer(t, ecdsaKey(t, elliptic.P384())), true},
		"ecdsa 521":            {signer(t, ecdsaKey(t, elliptic.P521())), true},
		"rsa 2048, sha2-256":   {signer(t, long, gossh.KeyAlgoRSASHA256), true},
		"rsa 2048, sha2-512":   {signer(t, long, gossh.KeyAlgoRSASHA512), true},
		"rsa 2048, as offered": {signer(t, long, gossh.KeyAlgoRSA, gossh.KeyAlgoRSASHA256), true},
		"rsa 2048, sha1":       {signer(t, long, gossh.KeyAlgoRSA), false},
		"rsa 2047":             {signer(t, rsaKey(t, 2047), gossh.KeyAlgoRSASHA256), false},
		"rsa 1024":             {signer(t, rsaKey(t, 1024), gossh.KeyAlgoRSASHA256), false},
	} {
		said := ""
		config := login("alice", one.key)
		config.BannerCallback = func(text string) error {
			said += text
			return nil
		}
		client, err := gossh.Dial("tcp", h.address, config)
		if client != nil {
			_ = client.Close()
		}
		testkit.Equal(t, err == nil, one.isSafe, name, err)
		if strings.Contains(said, errWeakKey.Error()) == one.isSafe {
			t.Errorf("%s: the owner reads %q", name, said)
		}
	}
}

// No library signs with DSA keys any more, but old clients do.
func TestADSAKeyIsRefused(t *testing.T) {
	const banner, failure, keyOK = 53, 51, 60
	h := startServer(t)
	client := h.keyed()
	testkit.OK(t, client.Service())
	key := gossh.Marshal(struct {
		Type       string
		P, Q, G, Y *big.Int
	}{
		"ssh-dss", new(big.Int).Lsh(big.NewInt(1), 1023), new(big.Int).Lsh(big.NewInt(1), 159), big.NewInt(2),
		big.NewInt(4),
	})
	testkit.OK(t, client.Send(wire.Query("alice", "ssh-dss", key)))
	said := ""
	for {
		packet, err := client.Await(banner, failure, keyOK)
		if err != nil || packet[0] == keyOK {
			t.Fatalf("the server answers %v, %v", packet, err)
		}
		if packet[0] == failure {
			break
		}
		said += string(packet)
	}
	testkit.Contains(t, said, errWeakKey.Error())
}

// A client with a weak key goes on with another key, or as a guest.
func TestAWeakKeyIsNotTheLast(t *testing.T) {
	h := startServer(t)
	weak := signer(t, rsaKey(t, 1024), gossh.KeyAlgoRSASHA256)
	config := login("alice", newKey(t, 1))
	config.Auth = []gossh.AuthMethod{gossh.PublicKeys(weak, newKey(t, 1))}
	newPerson(t, h.client(h.connect(), config), "xterm", 80, 24).sees("Play someone")
	config = login("alice", nil)
	config.Auth = append([]gossh.AuthMethod{gossh.PublicKeys(weak)}, config.Auth...)
	newPerson(t, h.client(h.connect(), config), "xterm", 80, 24).sees("Play someone")
	if book := h.log.String(); strings.Contains(book, gossh.FingerprintSHA256(weak.PublicKey())) ||
		h.Stats.Logins.Get(LoginGuest) != 1 || h.Stats.Logins.Get(LoginKey) != 1 {
		t.Errorf("the log says\n%s", book)
	}
}

// A client without a key or keyboard-interactive was once told only "Permission denied".
func TestANewcomerIsToldHowToLogIn(t *testing.T) {
	h := startServer(t)
	tries := func(user string, auth ...gossh.AuthMethod) (said string, isIn bool) {
		config := login(user, nil)
		config.Auth = auth
		config.BannerCallback = func(text string) error {
			said += text
			return nil
		}
		client, err := gossh.Dial("tcp", h.address, config)
		if err == nil {
			_ = client.Close()
		}
		return said, err == nil
	}
	want := "notakto: " + errHowToLogIn.Error() + "\n"
	for range 2 { // the second time after a login
		if said, isIn := tries("alice"); said != want || isIn {
			t.Errorf("a client without anything reads %q, and is in: %v", said, isIn)
		}
	}
	if said, _ := tries("alice", gossh.Password("secret")); said != want {
		t.Errorf("a client with a password reads %q", said)
	}
	if said, isIn := tries("alice", gossh.PublicKeys(newKey(t, 1))); said != want || !isIn {
		t.Errorf("a newcomer with a key reads %q, and is in: %v", said, isIn)
	}
	if said, isIn := tries("alice", gossh.PublicKeys(newKey(t, 1))); said != "" || !isIn {
		t.Errorf("a player who comes back reads %q, and is in: %v", said, isIn)
	}
	if said, _ := tries("bob"); said != want {
		t.Errorf("another user of that address reads %q", said)
	}
}
