package sshapp

import (
	"errors"
	"net"
	"time"

	"golang.org/x/time/rate"
)

// acceptErrorEvery is how often the log says that nobody can be accepted.
const acceptErrorEvery = 10 * time.Second

// limitListener is a listener that accepts nobody while every place is taken, which lasts until somebody has been let
// go, nor while newcomers crowd at the gate, so that those who come faster than they can be looked at wait outside. It
// says when it cannot accept anybody for another reason: the SSH library only waits and tries again. [Server.onConnect]
// sees that a place is given back.
type limitListener struct {
	net.Listener
	connSlots chan struct{} // has a value for each connection
	accepting chan struct{} // has a value for each that has not passed the gate
	stopped   <-chan struct{}
	logError  func(error)
}

func (s *Server) limitListener(listener net.Listener) net.Listener {
	lines := rate.NewLimiter(rate.Every(acceptErrorEvery), 1)
	return &limitListener{listener, s.connSlots, s.accepting, s.stopped.Done(), func(err error) {
		if lines.Allow() {
			s.log.Error("cannot accept connections", "error", err)
		}
	}}
}

func (l *limitListener) Accept() (net.Conn, error) {
	for _, room := range []chan struct{}{l.connSlots, l.accepting} {
		select {
		case room <- struct{}{}:
		case <-l.stopped:
			return nil, net.ErrClosed
		}
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.connSlots
		<-l.accepting
		if !errors.Is(err, net.ErrClosed) {
			l.logError(err)
		}
	}
	return conn, err
}
