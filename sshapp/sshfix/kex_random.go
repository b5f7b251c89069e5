package sshfix

import "crypto/rand"

// privateKeySize is the size of an X25519 private key, in bytes. Every key exchange that the server offers reads as
// many random bytes at once. All other reads are shorter: those for paddings and cookies.
const privateKeySize = 32

// KexRandom is the random source of a connection. It calls OnExchange before each key exchange, which it recognises by
// a read of privateKeySize bytes. The SSH library has no callback for that, and exchanges after the first one are
// encrypted.
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
