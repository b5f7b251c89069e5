package main

import (
	"fmt"
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
		go echoConn(conn, config)
	}
}

func echoConn(conn net.Conn, config *ssh.ServerConfig) {
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
		go echo(channel, requests)
	}
}

func echo(channel ssh.Channel, requests <-chan *ssh.Request) {
	for request := range requests {
		if request.Reply(true, nil) != nil {
			return
		}
		if request.Type == "shell" {
			break
		}
	}
	go ssh.DiscardRequests(requests)
	typed := make([]byte, 256)
	n := copy(typed, ".")
	for {
		if _, err := channel.Write(typed[:n]); err != nil {
			return
		}
		var err error
		if n, err = channel.Read(typed); err != nil {
			return
		}
	}
}
