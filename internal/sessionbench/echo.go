package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"

	"golang.org/x/crypto/ssh"

	"notakto/internal/rig"
)

// echoVariable is the environment variable that makes this program the echo.
const echoVariable = "NOTAKTO_SESSIONBENCH_ECHO"

// serveEcho serves the cost of SSH alone: a server that sends one byte as its screen and then echoes what the client
// types. Its first line on standard error is like that of notakto.
func serveEcho() error {
	config := &ssh.ServerConfig{
		PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) {
			return &ssh.Permissions{}, nil
		},
	}
	config.AddHostKey(rig.Key(0))
	status, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(status, nil) }()
	fmt.Fprintf(os.Stderr, "event=ready address=%s status=%s\n", listener.Addr(), status.Addr())
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go echo(conn, config)
	}
}

func echo(conn net.Conn, config *ssh.ServerConfig) {
	defer func() { _ = conn.Close() }()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for offered := range channels {
		channel, requests, err := offered.Accept()
		if err != nil {
			return
		}
		go func() {
			for request := range requests {
				_ = request.Reply(true, nil)
				if request.Type == "shell" {
					go echoTyped(channel)
				}
			}
		}()
	}
}

func echoTyped(channel ssh.Channel) {
	_, _ = io.WriteString(channel, ".")
	_, _ = io.CopyBuffer(channel, channel, make([]byte, 256))
}
