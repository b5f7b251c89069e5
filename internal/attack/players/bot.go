//go:build attack

package players

import (
	"context"
	"net"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/sshapp/bot/botproto"
)

// NewBot connects a bot from an address of this machine and waits for the welcome. Without a key it is a guest.
func NewBot(ctx context.Context, source net.IP, address, name string, key ssh.Signer) (*botclient.Client, error) {
	conn, err := Login(ctx, source, address, name, key)
	if err != nil {
		return nil, err
	}
	bot, err := botclient.Open(conn, nil)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	if _, err := botclient.Expect[botproto.Welcome](bot); err != nil {
		bot.Close()
		return nil, err
	}
	return bot, nil
}
