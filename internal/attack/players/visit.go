//go:build attack

package players

import (
	"context"
	"net"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
)

// Visit logs in, waits for the first screen and disconnects.
func Visit(ctx context.Context, source net.IP, address string, key ssh.Signer) error {
	client, err := Login(ctx, source, address, "dave", key)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	defer context.AfterFunc(ctx, func() { _ = client.Close() })()
	shell, err := botclient.Start(client, "xterm-256color", "")
	if err != nil {
		return err
	}
	_, err = shell.Read(make([]byte, 1))
	return err
}
