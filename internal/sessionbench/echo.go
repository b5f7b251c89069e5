package main

import (
	"net"

	"golang.org/x/crypto/ssh"
)

// newEcho returns the floor: what SSH alone costs. It sends back what is typed and has a screen of one byte.
func newEcho(key ssh.Signer) served {
	config := &ssh.ServerConfig{
		PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) { return &ssh.Permissions{}, nil },
	}
	config.AddHostKey(key)
	return served{serve: func(listener net.Listener) error {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return err
			}
			go echoConn(conn, config)
		}
	}}
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
