package sshapp

import (
	"errors"
	"io"
	"runtime/debug"
)

var errFaultyInput = errors.New("the input had a fault, which is in the server's log")

// sturdy is a session's input for doors that read it on a goroutine of their own, where a panic would end the server: it ends the input, and
// with that the session.
type sturdy struct {
	from  io.Reader
	fault func(any)
}

func (s *Server) sturdy(sess *channel) io.Reader {
	return sturdy{sess, func(fault any) {
		s.log.Error("session ended by a panic", "in", "input", "session", sessionID(sess), "panic", fault, "stack", string(debug.Stack()))
	}}
}

func (r sturdy) Read(p []byte) (n int, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			r.fault(fault)
			n, err = 0, errFaultyInput
		}
	}()
	return r.from.Read(p)
}
