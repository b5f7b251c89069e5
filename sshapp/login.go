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

// maxLoginTries is the number of failed attempts that ends a login. A query about an acceptable key is no failed
// attempt.
const maxLoginTries = 4

const leastRSA = 2048 // bits

// errWeakKey lets the client go on with its next key, or as a guest, within maxLoginTries.
var errWeakKey = errors.New("your key is not accepted, since DSA keys, RSA keys of fewer than 2,048 bits and " +
	"signatures with SHA-1 are not safe; make a key with ssh-keygen -t ed25519, and connect again")

// loginConfig offers current algorithms only. A client that proves a safe public key is the player of that key. A
// client without a key is a guest, if the server admits guests.
func (c *connection) loginConfig() *gossh.ServerConfig {
	server := c.server.ssh
	config := &gossh.ServerConfig{
		NoClientAuth:  c.isLocal, // the file mode of the control socket lets only the operator in
		ServerVersion: "SSH-2.0-" + server.Version,
		Config: gossh.Config{
			Rand:         sshfix.KexRandom{OnExchange: c.onKeyExchange},
			KeyExchanges: []string{gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519},
			Ciphers:      []string{gossh.CipherChaCha20Poly1305, gossh.CipherAES256GCM, gossh.CipherAES128GCM},
			MACs:         []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM},
		},
		PublicKeyAuthAlgorithms: gossh.SupportedAlgorithms().PublicKeyAuths, // the default has some with SHA-1
		MaxAuthTries:            maxLoginTries,
		PreAuthConnCallback: func(inner gossh.ServerPreAuthConn) { // the login begins
			c.handshakeBudget.Lift()
			c.mu.Lock()
			defer c.mu.Unlock()
			c.loginConn = inner
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
			// A key of another algorithm does not reach acceptKey, and the library has no type for that error.
			case method == LoginKey && strings.HasSuffix(err.Error(), "not accepted"):
				c.sendBanner(errWeakKey)
			}
		},
	}
	for _, key := range server.HostSigners {
		config.AddHostKey(key)
	}
	return config
}

type provenKey struct{}

// acceptKey accepts a plain public key that is safe, and stores it only in the permissions. A client may offer keys
// that it never proves, and the library returns the permissions of the proven one. After the refusal of a
// certificate, a client goes on with the plain key.
func (c *connection) acceptKey(_ gossh.ConnMetadata, key gossh.PublicKey) (*gossh.Permissions, error) {
	if _, isCertificate := key.(*gossh.Certificate); isCertificate {
		return nil, ssh.ErrPermissionDenied
	}
	if plain, ok := key.(gossh.CryptoPublicKey); ok {
		if rsaKey, ok := plain.CryptoPublicKey().(*rsa.PublicKey); ok && rsaKey.N.BitLen() < leastRSA {
			c.sendBanner(errWeakKey)
			return nil, ssh.ErrPermissionDenied
		}
	}
	return &gossh.Permissions{ExtraData: map[any]any{provenKey{}: key}}, nil
}

func (c *connection) acceptGuest(gossh.ConnMetadata, gossh.KeyboardInteractiveChallenge) (*gossh.Permissions, error) {
	if !c.server.settings.Load().Guests {
		c.failLogin(errNoGuests)
		return nil, ssh.ErrPermissionDenied
	}
	return new(gossh.Permissions), nil
}

// Sentences that a client reads before it logs in. Every newcomer reads errHowToLogIn, or errNoGuests on a server
// without guests. A client that can use neither a key nor keyboard-interactive makes no attempt. The server would
// notice such a client too late to advise it. A client that then gets in reads errHowToLogIn too.
var (
	errHowToLogIn = errors.New("your key is your account, and without a key you play as a guest; " +
		"if you are not let in, make a key: ssh-keygen -t ed25519")
	errNoGuests = errors.New("this server needs a key; if you have none, make one with ssh-keygen -t ed25519, " +
		"and connect again")
)

// tellNewcomer tells a client how to log in, before the server's first answer, unless its user has lately logged in
// from its network. The result is empty, because sendBanner sends the sentence.
func (c *connection) tellNewcomer(client gossh.ConnMetadata) (banner string) {
	switch {
	case c.isLocal, c.server.knownLogins.has(c.Source, client.User()):
	case c.server.settings.Load().Guests:
		c.sendBanner(errHowToLogIn)
	default:
		c.sendBanner(errNoGuests)
	}
	return ""
}

func (c *connection) sendBanner(sentence error) {
	c.mu.Lock()
	login, isSaid := c.loginConn, slices.Contains(c.bannersSent, sentence)
	c.bannersSent = append(c.bannersSent, sentence)
	c.mu.Unlock()
	if !isSaid {
		_ = login.SendAuthBanner("notakto: " + sentence.Error() + "\n")
	}
}

// knownLogins remembers some of the latest logins by user and network. Any goroutine may call its methods.
type knownLogins struct {
	seed maphash.Seed
	tags [1 << 12]atomic.Uint32 // a newer login replaces an older one
}

func (k *knownLogins) slot(from netip.Prefix, user string) (place *atomic.Uint32, tag uint32) {
	hash := maphash.Comparable(k.seed, struct {
		from netip.Prefix
		user string
	}{from, user})
	return &k.tags[hash%uint64(len(k.tags))], uint32(hash>>32) | 1
}

func (k *knownLogins) has(from netip.Prefix, user string) bool {
	place, tag := k.slot(from, user)
	return place.Load() == tag
}

func (k *knownLogins) add(from netip.Prefix, user string) {
	place, tag := k.slot(from, user)
	place.Store(tag)
}

// rekeyBurst key exchanges may begin at once, then one a minute. OpenSSH by default begins an exchange after a gigabyte
// or more. An exchange costs the server a signature.
const (
	rekeyRate  rate.Limit = 1. / 60
	rekeyBurst int        = 8
)

var errRekeys = errors.New("too many key exchanges")

func (c *connection) onKeyExchange() error {
	c.handshakeBudget.Start()
	if !c.rekeys.Allow() {
		c.closeFor(limit.TooManyRekeys)
		return errRekeys
	}
	return nil
}
