//go:build attack

package players

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
)

// loginTimeout is longer than any login may take, during an attack or not.
const loginTimeout = 20 * time.Second

// Key returns one of many keys, the same in every run.
func Key(number int) ssh.Signer {
	seed := make([]byte, ed25519.SeedSize)
	binary.BigEndian.PutUint32(seed, uint32(number))
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
	if err != nil {
		panic(err) // the seed has the right size
	}
	return signer
}

// Login connects from an address of this machine and logs in; without a key as a guest.
func Login(ctx context.Context, source net.IP, address, user string, key ssh.Signer) (*ssh.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: source}}
	conn, err := dialer.DialContext(ctx, "tcp4", address)
	if err != nil {
		return nil, err
	}
	return botclient.Login(ctx, conn, user, key)
}
