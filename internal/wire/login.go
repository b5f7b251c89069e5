package wire

import (
	"context"
	"crypto/rand"
	"errors"
	"net"

	"golang.org/x/crypto/ssh"
)

// The messages that this package distinguishes have these numbers (RFC 4250, section 4.1.2).
const (
	msgDisconnect = 1
	msgKexInit    = 20
	msgNewKeys    = 21
	msgKexReply   = 31
	msgAccepted   = 6
	msgSuccess    = 52
	msgFailure    = 51
	msgKeyOK      = 60
)

// The messages about a whole connection have these numbers (RFC 4254, section 4).
const (
	MsgGlobal       = 80 // global request
	MsgGlobalFailed = 82
)

var (
	// ErrDisconnected reports a disconnect message from the server.
	ErrDisconnected = errors.New("the server has disconnected")
	// ErrRefused reports that the server refused a request.
	ErrRefused = errors.New("the server refused")
)

// Await returns the next packet of one of types and drops others. A disconnect message is ErrDisconnected.
func (c *Conn) Await(types ...byte) ([]byte, error) {
	for {
		packet, err := c.Next()
		if err != nil {
			return nil, err
		}
		for _, wanted := range types {
			if packet[0] == wanted {
				return packet, nil
			}
		}
		if packet[0] == msgDisconnect {
			return nil, ErrDisconnected
		}
	}
}

// Keyed dials and exchanges keys. The login may follow.
func Keyed(ctx context.Context, source net.IP, address string, receive int) (*Conn, error) {
	c, err := Dial(ctx, source, address, receive)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	if err := errors.Join(c.Greet(), c.Exchange()); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Service returns the packet that requests a service.
func Service(name string) []byte {
	return ssh.Marshal(struct {
		Name string `sshtype:"5"`
	}{name})
}

// Service requests the login service, as the protocol requires before a login.
func (c *Conn) Service() error {
	if err := c.Send(Service("ssh-userauth")); err != nil {
		return err
	}
	_, err := c.Await(msgAccepted)
	return err
}

// Query returns the packet of a login with key, a public key in wire format and no signature. The server
// answers whether the key is acceptable.
func Query(user, algorithm string, key []byte) []byte {
	return ssh.Marshal(struct {
		User            string `sshtype:"50"`
		Service, Method string
		Signed          bool
		Algorithm       string
		Key             []byte
	}{user, "ssh-connection", "publickey", false, algorithm, key})
}

// Login logs in with a key, or returns ErrRefused.
func (c *Conn) Login(user string, key ssh.Signer) error {
	if err := c.Service(); err != nil {
		return err
	}
	blob := key.PublicKey().Marshal()
	request := Query(user, key.PublicKey().Type(), blob)
	unsigned := len(request) - len(key.PublicKey().Type()) - len(blob) - 8 - 1
	request[unsigned] = 1
	signature, err := key.Sign(rand.Reader, append(ssh.Marshal(struct{ Session []byte }{c.session}), request...))
	if err != nil {
		return err
	}
	if err := c.Send(append(request, ssh.Marshal(struct{ Signature []byte }{ssh.Marshal(signature)})...)); err != nil {
		return err
	}
	answer, err := c.Await(msgSuccess, msgFailure)
	if err == nil && answer[0] == msgFailure {
		return ErrRefused
	}
	return err
}

// Probe sends a Query and waits for the answer. A refusal is no error.
func (c *Conn) Probe(user, algorithm string, key []byte) error {
	if err := c.Send(Query(user, algorithm, key)); err != nil {
		return err
	}
	_, err := c.Await(msgKeyOK, msgFailure)
	return err
}
