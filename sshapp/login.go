package sshapp

import (
	"crypto/rsa"
	"errors"
	"hash/maphash"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"notakto/match/limit"
	"notakto/sshapp/sshfix"
)

// maxLoginTries is the number of keys that a client may offer in vain. The server accepts the first safe key that the
// client proves.
const maxLoginTries = 4

// leastRSA is the least size of an RSA key, in bits.
const leastRSA = 2048

// errWeakKey tells a client that its key is not safe. The client goes on with its next key, or as a guest.
var errWeakKey = errors.New("your key is not accepted, since DSA keys, RSA keys of fewer than 2,048 bits and " +
	"signatures with SHA-1 are not safe; make a key with ssh-keygen -t ed25519, and connect again")

// loginConfig offers current algorithms only. A client that proves a safe public key is the player of that key. A
// client without a key is a guest, if the server has guests.
func (c *connection) loginConfig() *gossh.ServerConfig {
	server := c.server.ssh
	config := &gossh.ServerConfig{
		NoClientAuth:  c.isLocal, // the file mode of the control socket lets only the operator in
		ServerVersion: "SSH-2.0-" + server.Version,
		Config: gossh.Config{
			Rand:         sshfix.KexRandom{OnExchange: c.allowExchange},
			KeyExchanges: []string{gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519},
			Ciphers:      []string{gossh.CipherChaCha20Poly1305, gossh.CipherAES256GCM, gossh.CipherAES128GCM},
			MACs:         []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM},
		},
		PublicKeyAuthAlgorithms: gossh.SupportedAlgorithms().PublicKeyAuths, // by default, those with SHA-1 as well
		MaxAuthTries:            maxLoginTries,
		PreAuthConnCallback: func(inner gossh.ServerPreAuthConn) { // the login begins
			c.preauth.End()
			c.mu.Lock()
			defer c.mu.Unlock()
			c.inner = inner
		},
		BannerCallback:              c.tellNewcomer,
		PublicKeyCallback:           c.acceptKey,
		KeyboardInteractiveCallback: c.acceptGuest,
		AuthLogCallback: func(conn gossh.ConnMetadata, method string, err error) {
			switch {
			case err == nil && method == LoginKey:
				c.loggedIn(LoginKey, conn.User())
			case err == nil:
				c.loggedIn(LoginGuest, conn.User())
			case method == LoginKey && strings.HasSuffix(err.Error(), "not accepted"): // the algorithm
				c.say(errWeakKey)
			}
		},
	}
	for _, key := range server.HostSigners {
		config.AddHostKey(key)
	}
	return config
}

// provenKey is the key in Permissions.ExtraData under which acceptKey stores a client's public key.
type provenKey struct{}

// acceptKey accepts a plain public key that is safe. It stores nothing, since a client may offer keys that it never
// proves. The library returns the permissions of the proven key. A client with a certificate goes on with the plain
// key.
func (c *connection) acceptKey(_ gossh.ConnMetadata, key gossh.PublicKey) (*gossh.Permissions, error) {
	if _, isCertificate := key.(*gossh.Certificate); isCertificate {
		return nil, ssh.ErrPermissionDenied
	}
	if plain, ok := key.(gossh.CryptoPublicKey); ok {
		if rsaKey, ok := plain.CryptoPublicKey().(*rsa.PublicKey); ok && rsaKey.N.BitLen() < leastRSA {
			c.say(errWeakKey)
			return nil, ssh.ErrPermissionDenied
		}
	}
	return &gossh.Permissions{ExtraData: map[any]any{provenKey{}: key}}, nil
}

// acceptGuest logs a client in without a key, unless the server has no guests. It asks no question.
func (c *connection) acceptGuest(gossh.ConnMetadata, gossh.KeyboardInteractiveChallenge) (*gossh.Permissions, error) {
	if !c.server.settings.Load().Guests {
		c.failLogin(errNoGuests)
		return nil, ssh.ErrPermissionDenied
	}
	return new(gossh.Permissions), nil
}

// The sentences that a client reads before it logs in. All newcomers read errHowToLogIn, since the server cannot tell
// who needs it: a client that has no key and does not allow keyboard-interactive leaves without a request.
var (
	errHowToLogIn = errors.New("log in with a key, or as a guest if your client allows keyboard-interactive; " +
		"to make a key: ssh-keygen -t ed25519")
	errNoGuests = errors.New("this server needs a key; if you have none, make one with ssh-keygen -t ed25519, " +
		"and connect again")
)

// tellNewcomer tells a client how to log in, before the server's first answer. It says nothing if the client's user has
// lately logged in from the client's network. It sends the text itself and returns an empty banner.
func (c *connection) tellNewcomer(client gossh.ConnMetadata) (banner string) {
	switch {
	case c.isLocal, c.server.knownLogins.has(c.Source, client.User()):
	case c.server.settings.Load().Guests:
		c.say(errHowToLogIn)
	default:
		c.say(errNoGuests)
	}
	return ""
}

// say sends a sentence to a client that is logging in, once.
func (c *connection) say(sentence error) {
	c.mu.Lock()
	login, isSaid := c.inner, slices.Contains(c.said, sentence)
	c.said = append(c.said, sentence)
	c.mu.Unlock()
	if !isSaid {
		_ = login.SendAuthBanner("notakto: " + sentence.Error() + "\n")
	}
}

// knownLogins remembers some of the latest logins by user and network. Its methods may be called from any goroutine.
type knownLogins struct {
	seed maphash.Seed
	tags [1 << 12]atomic.Uint32 // a newer login takes the place of an older one
}

func (k *knownLogins) place(from netip.Prefix, user string) (place *atomic.Uint32, tag uint32) {
	hash := maphash.Comparable(k.seed, struct {
		from netip.Prefix
		user string
	}{from, user})
	return &k.tags[hash%uint64(len(k.tags))], uint32(hash>>32) | 1
}

func (k *knownLogins) has(from netip.Prefix, user string) bool {
	place, tag := k.place(from, user)
	return place.Load() == tag
}

func (k *knownLogins) add(from netip.Prefix, user string) {
	place, tag := k.place(from, user)
	place.Store(tag)
}

// A client may begin rekeyBurst exchanges of keys at once, then one a minute. OpenSSH begins one an hour or one a
// gigabyte at most, unless configured otherwise. Each exchange costs the server a signature.
const (
	rekeyRate  rate.Limit = 1. / 60
	rekeyBurst int        = 8
)

var errRekeys = errors.New("too many exchanges of keys")

// allowExchange starts the budget of an exchange of keys, or closes a connection that has too many.
func (c *connection) allowExchange() error {
	c.preauth.Begin()
	if !c.rekeys.Allow() {
		c.closeFor(limit.TooManyRekeys)
		return errRekeys
	}
	return nil
}
