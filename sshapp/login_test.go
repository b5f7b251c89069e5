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

// tries logs in once, and returns what the client reads until then.
func (s *testServer) tries(user string, auth ...gossh.AuthMethod) (said string, isIn bool) {
	s.t.Helper()
	config := login(user, nil)
	config.BannerCallback = func(text string) error {
		said += text
		return nil
	}
	if auth != nil {
		config.Auth = auth
	}
	client, err := gossh.Dial("tcp", s.address, config)
	if err == nil {
		_ = client.Close()
	}
	return said, err == nil
}

// Logins with SHA-1 signatures, RSA keys of 1,024 bits and DSA keys once succeeded, against docs/security.md. A client
// with a weak key goes on with another key, or as a guest.
func TestOnlySafeKeysLogIn(t *testing.T) {
	h := startServer(t)
	signer := func(key gossh.AlgorithmSigner, algorithms ...string) gossh.Signer {
		t.Helper()
		chosen, err := gossh.NewSignerWithAlgorithms(key, algorithms)
		testkit.OK(t, err)
		return chosen
	}
	made := func(key any, err error) gossh.AlgorithmSigner {
		t.Helper()
		testkit.OK(t, err)
		plain, err := gossh.NewSignerFromKey(key)
		testkit.OK(t, err)
		return plain.(gossh.AlgorithmSigner)
	}
	rsaKey := func(bits int) gossh.AlgorithmSigner { return made(rsa.GenerateKey(rand.Reader, bits)) }
	long, weak := rsaKey(2048), signer(rsaKey(1024), gossh.KeyAlgoRSASHA256)
	for name, one := range map[string]struct {
		key    gossh.Signer
		isSafe bool
	}{
		"ed25519":              {newKey(t, 1), true},
		"ecdsa 256":            {made(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)), true},
		"ecdsa 384":            {made(ecdsa.GenerateKey(elliptic.P384(), rand.Reader)), true},
		"ecdsa 521":            {made(ecdsa.GenerateKey(elliptic.P521(), rand.Reader)), true},
		"rsa 2048, sha2-256":   {signer(long, gossh.KeyAlgoRSASHA256), true},
		"rsa 2048, sha2-512":   {signer(long, gossh.KeyAlgoRSASHA512), true},
		"rsa 2048, as offered": {signer(long, gossh.KeyAlgoRSA, gossh.KeyAlgoRSASHA256), true},
		"rsa 2048, sha1":       {signer(long, gossh.KeyAlgoRSA), false},
		"rsa 2047":             {signer(rsaKey(2047), gossh.KeyAlgoRSASHA256), false},
		"rsa 1024":             {weak, false},
	} {
		said, isIn := h.tries("alice", gossh.PublicKeys(one.key))
		testkit.Equal(t, isIn, one.isSafe, name)
		testkit.Equal(t, strings.Contains(said, errWeakKey.Error()), !one.isSafe, name, said)
	}
	before := h.Stats.Logins.Get(LoginKey)
	_, isIn := h.tries("alice", gossh.PublicKeys(weak, newKey(t, 1)))
	testkit.Equal(t, isIn, true)
	_, isIn = h.tries("alice", append([]gossh.AuthMethod{gossh.PublicKeys(weak)}, login("", nil).Auth...)...)
	testkit.Equal(t, isIn, true)
	testkit.Equal(t, h.Stats.Logins.Get(LoginKey), before+1)
	testkit.Equal(t, h.Stats.Logins.Get(LoginGuest), 1)
	testkit.Equal(t, strings.Contains(h.log.String(), gossh.FingerprintSHA256(weak.PublicKey())), false)

	certificate := &gossh.Certificate{
		Key: newKey(t, 1).PublicKey(), CertType: gossh.UserCert, ValidPrincipals: []string{"alice"},
		ValidBefore: gossh.CertTimeInfinity,
	}
	testkit.OK(t, certificate.SignCert(rand.Reader, newKey(t, 2)))
	certified, err := gossh.NewCertSigner(certificate, newKey(t, 1))
	testkit.OK(t, err)
	if _, isIn := h.tries("alice", gossh.PublicKeys(certified)); isIn {
		t.Error("a certificate was accepted")
	}

	// No library signs with DSA keys any more, but old clients do.
	client, bit := h.keyed(), func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
	testkit.OK(t, client.Service())
	testkit.OK(t, client.Send(wire.Query("alice", "ssh-dss", gossh.Marshal(struct {
		Type       string
		P, Q, G, Y *big.Int
	}{"ssh-dss", bit(1023), bit(159), bit(1), bit(2)}))))
	const refused, accepted = 51, 60
	packet, err := client.Await(refused, accepted)
	testkit.OK(t, err)
	testkit.Equal(t, packet[0], refused)
}

// A client without a key or keyboard-interactive was once told only "Permission denied".
func TestANewcomerIsToldHowToLogIn(t *testing.T) {
	h, want := startServer(t), "notakto: "+errHowToLogIn.Error()+"\n"
	key, nothing := gossh.PublicKeys(newKey(t, 1)), gossh.PublicKeys()
	for i, one := range []struct {
		user string
		auth gossh.AuthMethod
		said string
		isIn bool
	}{
		{"alice", nothing, want, false}, {"alice", nothing, want, false},
		{"alice", gossh.Password("secret"), want, false},
		{"alice", key, want, true}, {"alice", key, "", true}, {"bob", nothing, want, false},
	} {
		said, isIn := h.tries(one.user, one.auth)
		testkit.Equal(t, said, one.said, i)
		testkit.Equal(t, isIn, one.isIn, i)
	}
}

func TestWithoutGuestsALoginNeedsAKey(t *testing.T) {
	h := startServer(t, func(o *options) { o.Guests = false })
	h.dial("alice", newKey(t, 1))
	said, isIn := h.tries("bob")
	testkit.Equal(t, isIn, false)
	testkit.Equal(t, said, "notakto: "+errNoGuests.Error()+"\n")
	eventually(t, "the guest's connection to be gone", func() bool { return h.slots.Used() <= 2 })
}
