package main

import (
	"fmt"
	"log/slog"
	"net"

	"notakto/internal/rig"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp"
	"notakto/sshapp/cli/player"
)

// gameServer is a server on a free port of this machine.
type gameServer struct {
	manager *manager.Manager
	server  *sshapp.Server
	address string
	served  chan error
}

// The numbers of the keys are fixed, because the pictures must not change from run to run.
const (
	serverKey = iota
	annKey
	bobKey
	cleoKey
	danKey
)

func openServer() (*gameServer, error) {
	manager := manager.New(manager.Config{Seed: 1})
	server, err := sshapp.New(sshapp.Config{
		Settings: limit.DefaultSettings(), HostKey: rig.Key(serverKey), Manager: manager,
		Log:     slog.New(slog.DiscardHandler),
		Version: player.Version{Version: "picture"}, PublicAddress: "notakto.example",
	})
	if err != nil {
		manager.Close()
		return nil, fmt.Errorf("build the server: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		manager.Close()
		return nil, fmt.Errorf("listen: %w", err)
	}
	g := &gameServer{manager: manager, server: server, address: listener.Addr().String(), served: make(chan error, 1)}
	go func() { g.served <- server.Serve(listener) }()
	return g, nil
}

func (g *gameServer) close() {
	_ = g.server.Close()
	<-g.served
	g.manager.Close()
}
