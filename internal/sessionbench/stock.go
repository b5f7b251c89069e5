package main

import (
	"net"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	"charm.land/wish/v2/activeterm"
	"charm.land/wish/v2/bubbletea"
	gossh "golang.org/x/crypto/ssh"
)

// newStock returns wish and Bubble Tea in their default configuration, with the screen of a table of three boards.
func newStock(key gossh.Signer) (served, error) {
	look := newStockLook()
	server, err := wish.NewServer(
		func(s *ssh.Server) error {
			s.AddHostKey(key)
			return nil
		},
		wish.WithPublicKeyAuth(func(ssh.Context, ssh.PublicKey) bool { return true }),
		wish.WithMiddleware(
			bubbletea.Middleware(func(ssh.Session) (tea.Model, []tea.ProgramOption) { return look.newStockTable(), nil }),
			activeterm.Middleware(),
		),
	)
	if err != nil {
		return served{}, err
	}
	return served{serve: func(listener net.Listener) error { return server.Serve(listener) }}, nil
}
