package sshapp

import (
	"bytes"
	"crypto/rand"
	"errors"
	"slices"

	gossh "golang.org/x/crypto/ssh"
)

// The requests of OpenSSH for a change of the host key (its PROTOCOL file, section 2.5). After the login the server
// names all of its keys. A client that trusts the key of the login asks for a proof of the keys that are new to it,
// and then trusts them too. It forgets the server's keys that were not named.
const (
	hostKeysRequest      = "hostkeys-00@openssh.com"
	hostKeysProveRequest = "hostkeys-prove-00@openssh.com"
)

// HostKeys returns the host key, and then the next one if there is one.
func (s *Server) HostKeys() []gossh.PublicKey {
	keys := make([]gossh.PublicKey, len(s.hostKeys))
	for i, key := range s.hostKeys {
		keys[i] = key.PublicKey()
	}
	return keys
}

var errHostKeyProof = errors.New("the client may ask once for proofs of the announced host keys")

// announceHostKeys names the host keys to the client. A client that does not know the request ignores it.
func (c *connection) announceHostKeys() {
	var blobs []byte
	for _, key := range c.server.hostKeys {
		blobs = append(blobs, gossh.Marshal(struct{ Key []byte }{key.PublicKey().Marshal()})...)
	}
	_, _, _ = c.client.SendRequest(hostKeysRequest, false, blobs) // an error also ends serve
}

// proveHostKeys returns a signature by each key that payload names. A connection gets proofs once, because a signature
// costs processor time. Only the goroutine of serve calls proveHostKeys.
func (c *connection) proveHostKeys(payload []byte) (signatures []byte, err error) {
	if c.hasProvedKeys {
		return nil, errHostKeyProof
	}
	c.hasProvedKeys = true
	for n := 0; len(payload) > 0; n++ {
		var next struct {
			Blob []byte
			Rest []byte `ssh:"rest"`
		}
		if err := gossh.Unmarshal(payload, &next); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(c.server.hostKeys, func(key gossh.Signer) bool {
			return bytes.Equal(key.PublicKey().Marshal(), next.Blob)
		})
		if i < 0 || n == len(c.server.hostKeys) {
			return nil, errHostKeyProof
		}
		signature, err := c.server.hostKeys[i].Sign(rand.Reader, gossh.Marshal(struct {
			Request       string
			Session, Blob []byte
		}{hostKeysProveRequest, c.client.SessionID(), next.Blob}))
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, gossh.Marshal(struct{ Signature []byte }{gossh.Marshal(signature)})...)
		payload = next.Rest
	}
	return signatures, nil
}
