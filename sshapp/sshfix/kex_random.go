package sshfix

import "crypto/rand"

// privateKeySize is the size of an X25519 private key, in bytes. Every key exchange that is offered draws as much at
// once, and nothing else does: paddings and cookies are shorter.
const privateKeySize = 32

// KexRandom is the random source of a connection. It calls OnExchange before each key exchange, which it recognises by
// a read of privateKeySize bytes: the SSH library has no callback, and later exchanges are encrypted.
type KexRandom struct {
	OnExchange func() error // is called before each; an error ends the connection
}

// Read fills p with random bytes, or returns the error of OnExchange.
func (k KexRandom) Read(p []byte) (int, error) {
	if len(p) == privateKeySize {
		if err := k.OnExchange(); err != nil {
			return 0, err
		}
	}
	return rand.Read(p)
}
