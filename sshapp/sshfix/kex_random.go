package sshfix

import "crypto/rand"

// privateKeySize is the size of an X25519 private key, in bytes. Every key exchange that the server offers reads
// exactly that many random bytes at once. Reads for paddings and cookies are shorter.
const privateKeySize = 32

// KexRandom is the random source of a connection. A read of privateKeySize bytes shows that a key exchange begins.
// The SSH library has no callback for that, and exchanges after the first one are encrypted.
type KexRandom struct {
	OnExchange func() error // called before each exchange, an error ends the connection
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
