package sshapp

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"notakto/sshapp/limit"

	gossh "golang.org/x/crypto/ssh"
)

// ssh-audit found four failures in the library's own choice (NIST curves, SHA-1): a client that knows nothing newer
// than those is refused.
func TestOldAlgorithmsAreRefused(t *testing.T) {
	h := startServer(t)
	supported, insecure := gossh.SupportedAlgorithms(), gossh.InsecureAlgorithms()
	for name, limit := range map[string]func(*gossh.ClientConfig){
		"NIST curves": func(c *gossh.ClientConfig) {
			c.KeyExchanges = []string{gossh.KeyExchangeECDHP256, gossh.KeyExchangeECDHP521}
		},
		"group 14":     func(c *gossh.ClientConfig) { c.KeyExchanges = []string{gossh.KeyExchangeDH14SHA256} },
		"SHA-1":        func(c *gossh.ClientConfig) { c.KeyExchanges = insecure.KeyExchanges },
		"CBC and RC4":  func(c *gossh.ClientConfig) { c.Ciphers = insecure.Ciphers },
		"counter mode": func(c *gossh.ClientConfig) { c.Ciphers = []string{gossh.CipherAES128CTR} },
		"RSA and DSA": func(c *gossh.ClientConfig) {
			c.HostKeyAlgorithms = append([]string{gossh.KeyAlgoRSA}, insecure.HostKeys...)
		},
		"NIST host keys": func(c *gossh.ClientConfig) { c.HostKeyAlgorithms = []string{gossh.KeyAlgoECDSA256} },
	} {
		config := login("alice", newKey(t, 1))
		limit(config)
		if _, err := gossh.Dial("tcp", h.address, config); err == nil ||
			!strings.Contains(err.Error(), "no common algorithm") {
			t.Errorf("%s: %v", name, err)
		}
	}
	config := login("alice", newKey(t, 1))
	config.KeyExchanges, config.Ciphers, config.MACs = supported.KeyExchanges, supported.Ciphers, supported.MACs
	h.client(h.connect(), config)
}

// A connection whose first packets could be cut out unnoticed would be open to Terrapin: the server asks for strict key
// exchange.
func TestStrictKeyExchangeIsOffered(t *testing.T) {
	h := startServer(t)
	conn := h.connect()
	if _, err := conn.Write([]byte("SSH-2.0-Test\r\n")); err != nil {
		t.Fatal(err)
	}
	var offer []byte
	for piece := make([]byte, 4096); !bytes.Contains(offer, []byte("kex-strict-s-v00@openssh.com")); {
		n, err := conn.Read(piece)
		if err != nil {
			t.Fatalf("%v after %q", err, offer)
		}
		offer = append(offer, piece[:n]...)
	}
	for _, old := range []string{"sha1", "nistp", "cbc", "group", "ssh-rsa", "ssh-dss", "password"} {
		if bytes.Contains(offer, []byte(old)) {
			t.Errorf("%s is offered: %q", old, offer)
		}
	}
}

// A client that has the public half of a player's key is not that player, and gets one try a connection.
func TestAWrongSignatureEndsTheLogin(t *testing.T) {
	h := startServer(t)
	asked := 0
	config := login("alice", nil)
	config.Auth = []gossh.AuthMethod{gossh.RetryableAuthMethod(gossh.PublicKeysCallback(func() ([]gossh.Signer, error) {
		asked++
		return []gossh.Signer{impostor{newKey(t, 1), newKey(t, 2)}}, nil
	}), 90)}
	if _, err := gossh.Dial("tcp", h.address, config); err == nil || asked != 1 {
		t.Errorf("after %d tries: %v", asked, err)
	}
	eventually(t, "it to be counted", func() bool { return h.rejections.Count(limit.LoginFailed) == 1 })
}

// impostor says that it has a key, and signs with another.
type impostor struct {
	gossh.Signer
	hand gossh.Signer
}

func (i impostor) Sign(chance io.Reader, data []byte) (*gossh.Signature, error) {
	return i.hand.Sign(chance, data)
}
