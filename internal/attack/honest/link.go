//go:build attack

package honest

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

// loginTime is more than any login may take, attack or not.
const loginTime = 20 * time.Second

// Key is one of many keys, the same in every run.
func Key(number int) ssh.Signer {
	seed := make([]byte, ed25519.SeedSize)
	binary.BigEndian.PutUint32(seed, uint32(number))
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
	if err != nil {
		panic(err) // a seed of the right size is a key
	}
	return signer
}

// Login connects from an address of this machine and logs in; a nil key is a guest's.
func Login(ctx context.Context, source net.IP, address, user string, key ssh.Signer) (*ssh.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: source}}
	plain, err := dialer.DialContext(ctx, "tcp4", address)
	if err != nil {
		return nil, err
	}
	return LoginOver(ctx, plain, user, key)
}

// LoginOver logs in over a connection, which it closes if that fails or ctx ends first; a nil key is a guest's.
func LoginOver(ctx context.Context, plain net.Conn, user string, key ssh.Signer) (*ssh.Client, error) {
	defer context.AfterFunc(ctx, func() { _ = plain.Close() })()
	login := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	if key != nil {
		login = ssh.PublicKeys(key)
	}
	conn, channels, requests, err := ssh.NewClientConn(plain, plain.RemoteAddr().String(), &ssh.ClientConfig{
		Config:          ssh.Config{KeyExchanges: []string{ssh.KeyExchangeCurve25519}, Ciphers: []string{ssh.CipherAES128GCM}},
		User:            user,
		Auth:            []ssh.AuthMethod{login},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		_ = plain.Close()
		return nil, fmt.Errorf("log in: %w", err)
	}
	return ssh.NewClient(conn, channels, requests), nil
}

// Channel opens a session channel, on which nothing has been asked for yet.
func Channel(client *ssh.Client) (ssh.Channel, error) {
	channel, requests, err := client.OpenChannel("session", nil)
	if err == nil {
		go ssh.DiscardRequests(requests)
	}
	return channel, err
}

// Open begins a session with a command, or the game if it is empty, on a terminal if that has a name.
func Open(client *ssh.Client, term, command string) (ssh.Channel, error) {
	channel, err := Channel(client)
	if err != nil {
		return nil, err
	}
	kind, payload := "exec", ssh.Marshal(struct{ Command string }{command})
	if command == "" {
		kind, payload = "shell", nil
	}
	if term != "" {
		if ok, err := channel.SendRequest("pty-req", true, wire.Terminal(term, 80, 24)); err != nil || !ok {
			return nil, fmt.Errorf("terminal: %v, %w", ok, err)
		}
	}
	if ok, err := channel.SendRequest(kind, true, payload); err != nil || !ok {
		return nil, fmt.Errorf("%s: %v, %w", kind, ok, err)
	}
	return channel, nil
}
