// Package sshapp is the SSH server: it accepts connections, admits sessions, routes each to its front end, and drains.
// It decides nothing about the game.
//
// A connection passes these stages:
//
//  1. accept: deadlines and limits before and after the login (accept.go, connection.go, package limit);
//  2. key exchange and login (login.go);
//  3. a session channel (channel.go: our own implementation of ssh.Session, which no request can block);
//  4. the chain of middleware (handler.go), which makes a session wait while the server is full (waitroom.go);
//  5. the front end that its request asks for (handler.go, exec.go).
//
// A client that is refused at any stage is counted, by reason, in [limit.Rejections].
package sshapp
