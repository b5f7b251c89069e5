package sshapp

import (
	"crypto/rand"
	"errors"

	"golang.org/x/time/rate"
)

// How often a client may have the keys exchanged: OpenSSH asks for it once an hour or once a gigabyte at most, unless told otherwise. Each
// exchange costs the server a signature.
const (
	rekeyRate  rate.Limit = 1. / 60
	rekeyBurst int        = 8
)

// privateKeySize is the size of an X25519 private key: what every key exchange that is offered draws at once, and nothing else does. The
// protocol's other draws are paddings and cookies, which are shorter.
const privateKeySize = 32

var errRekeys = errors.New("too many exchanges of keys")

// kexRandom is where a connection's keys come from. It is the only place that hears of every key exchange: the SSH library tells nobody, and
// after the first they are encrypted.
type kexRandom struct{ conn *connection }

// Read is rand.Read, or an error when the client has the keys exchanged too often.
func (c kexRandom) Read(p []byte) (int, error) {
	if len(p) == privateKeySize {
		c.conn.preauthBudget.begin()
		if !c.conn.rekeys.Allow() {
			c.conn.closeFor(tooManyRekeys)
			return 0, errRekeys
		}
	}
	return rand.Read(p)
}
