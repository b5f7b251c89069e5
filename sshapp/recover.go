package sshapp

import (
	"errors"
	"io"
	"runtime/debug"

	"charm.land/ssh"
)

var errFaultyInput = errors.New("the input had a fault, which is in the server's log")

// recoverReader is a session's input for front ends that read it on a goroutine of their own, where a panic would end
// the server: it ends the input, and with that the session.
type recoverReader struct {
	from  io.Reader
	fault func(any)
}

func (s *Server) recoverReader(sess *channel) io.Reader {
	return recoverReader{sess, s.logPanic(sess, "input")}
}

// logPanic is what has the log tell of a panic in a part of a session, when it is called while that goes on.
func (s *Server) logPanic(sess ssh.Session, part string) func(any) {
	return func(fault any) {
		s.log.Error("session ended by a panic", "in", part, "session", sessionID(sess), "panic", fault, "stack", string(debug.Stack()))
	}
}

func (r recoverReader) Read(p []byte) (n int, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			r.fault(fault)
			n, err = 0, errFaultyInput
		}
	}()
	return r.from.Read(p)
}
