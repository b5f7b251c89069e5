// Package sshapp is the SSH server: who may connect, who they are, how much they may ask for, and the session runner
// that joins a person's terminal to the screens of sshapp/tui. It decides nothing about the game.
//
// A connection passes, in this order: the gate (accept.go and connection.go: limits and deadlines for what comes before
// a login and after it), the key exchange and login (login.go), a session channel (channel.go: our own implementation
// of ssh.Session, which no request can block), the chain of middleware (handler.go), which has it wait while the
// server is full (waitroom.go), and the front end that its request asks for (screen_run.go, exec.go). Whoever is
// refused on the way is counted in rejections.go.
package sshapp
