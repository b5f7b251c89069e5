package main

import (
	"log/slog"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/garbage"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp"
)

// computerPause is longer than counting the bytes of the player's own move takes.
const computerPause = 600 * time.Millisecond

// newNotakto returns this server as in production, but without the limits that would reject thousands of players from
// one address.
func newNotakto(key ssh.Signer) (served, error) {
	garbage.Limit()
	settings := limit.DefaultSettings()
	settings.MaxLogins = 2 * maxSessions
	settings.MaxSessions = 2 * maxSessions
	settings.MaxSessionsPerAddress = 2 * maxSessions
	settings.MaxInputRate *= maxSessions
	manager := manager.New(manager.Config{ComputerPause: computerPause})
	log := slog.New(slog.DiscardHandler)
	server, err := sshapp.New(sshapp.Config{Settings: settings, HostKey: key, Manager: manager, Log: log})
	if err != nil {
		manager.Close()
		return served{}, err
	}
	return served{
		serve:   func(listener net.Listener) error { return server.Serve(listener) },
		matches: func() int { return len(manager.List()) },
	}, nil
}
