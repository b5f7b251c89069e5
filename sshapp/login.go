package sshapp

import (
	"errors"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"notakto/sshapp/limit"
	"notakto/sshapp/sshfix"
)

// maxLoginTries bounds the keys that an agent may offer in vain; the first one that it can prove is accepted anyway.
const maxLoginTries = 4

// loginConfig offers current algorithms only.
func loginConfig(ctx ssh.Context) *gossh.ServerConfig {
	return &gossh.ServerConfig{
		NoClientAuth: connectionOf(ctx).isLocal, // who may open the control socket is the operator
		Config: gossh.Config{
			Rand:         sshfix.KexRandom{OnExchange: connectionOf(ctx).allowExchange},
			KeyExchanges: []string{gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519},
			Ciphers:      []string{gossh.CipherChaCha20Poly1305, gossh.CipherAES256GCM, gossh.CipherAES128GCM},
			MACs:         []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM},
		},
		MaxAuthTries:        maxLoginTries,
		PreAuthConnCallback: func(inner gossh.ServerPreAuthConn) { connectionOf(ctx).setServerConn(inner) },
		AuthLogCallback: func(_ gossh.ConnMetadata, method string, err error) {
			if err != nil {
				return
			}
			if method != LoginKey {
				method = LoginGuest
			}
			connectionOf(ctx).loggedIn(method)
		},
	}
}

// acceptKey lets every plain public key in: the key that is proven is the player. It stores nothing, because a client
// may offer keys that it never proves. Certificates are refused: the client goes on with the plain key.
func acceptKey(_ ssh.Context, key ssh.PublicKey) bool {
	_, certificate := key.(*gossh.Certificate)
	return !certificate
}

// errNoGuests is what a client without a key reads where there are no guests.
var errNoGuests = errors.New("this server needs a key: make one with ssh-keygen -t ed25519, and connect again")

// acceptGuest lets a client without a key in, unless there are no guests. It asks nothing.
func acceptGuest(ctx ssh.Context, _ gossh.KeyboardInteractiveChallenge) bool {
	c := connectionOf(ctx)
	if c.server.settings.Load().Guests {
		return true
	}
	c.mu.Lock()
	login := c.inner
	c.mu.Unlock()
	c.failLogin(login, errNoGuests)
	return false
}

// How often a client may have the keys exchanged: OpenSSH asks for it once an hour or once a gigabyte at most, unless
// configured otherwise. Each exchange costs the server a signature.
const (
	rekeyRate  rate.Limit = 1. / 60
	rekeyBurst int        = 8
)

var errRekeys = errors.New("too many exchanges of keys")

// allowExchange refuses an exchange of keys when the client has them exchanged too often.
func (c *connection) allowExchange() error {
	c.preauth.Begin()
	if !c.rekeys.Allow() {
		c.closeFor(limit.TooManyRekeys)
		return errRekeys
	}
	return nil
}
