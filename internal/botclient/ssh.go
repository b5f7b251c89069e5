package botclient

import (
	"context"
	"errors"
	"fmt"
	"net"

	"golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

// ErrRefused means that the server refused a request.
var ErrRefused = errors.New("the server refused")

// Login logs in over conn, as a guest if key is nil. On an error, or if ctx ends during the login, Login closes conn.
// Login accepts any host key.
func Login(ctx context.Context, conn net.Conn, user string, key ssh.Signer) (*ssh.Client, error) {
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	method := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	if key != nil {
		method = ssh.PublicKeys(key)
	}
	transport, channels, requests, err := ssh.NewClientConn(conn, conn.RemoteAddr().String(), &ssh.ClientConfig{
		Config: ssh.Config{
			KeyExchanges: []string{ssh.KeyExchangeCurve25519}, Ciphers: []string{ssh.CipherAES128GCM},
		},
		User:            user,
		Auth:            []ssh.AuthMethod{method},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("log in: %w", err)
	}
	return ssh.NewClient(transport, channels, requests), nil
}

// Start opens a session with command, or a shell, the full screen, if command is empty. If term is not empty, the
// session has a terminal of that type, 80 columns by 24 rows.
func Start(client *ssh.Client, term, command string) (ssh.Channel, error) {
	channel, requests, err := client.OpenChannel("session", nil)
	if err != nil {
		return nil, err
	}
	go ssh.DiscardRequests(requests)
	kind, payload := "exec", ssh.Marshal(struct{ Command string }{command})
	if command == "" {
		kind, payload = "shell", nil
	}
	if term != "" {
		if err := request(channel, "pty-req", wire.Terminal(term, 80, 24)); err != nil {
			return nil, err
		}
	}
	if err := request(channel, kind, payload); err != nil {
		return nil, err
	}
	return channel, nil
}

func request(channel ssh.Channel, kind string, payload []byte) error {
	accepted, err := channel.SendRequest(kind, true, payload)
	if err == nil && !accepted {
		err = ErrRefused
	}
	if err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}
