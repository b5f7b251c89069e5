package sshapp

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"notakto/match/limit"
	"notakto/sshapp/cli"
)

// lifetime is the context of a session, the exit status and the reason for the log. Its methods may be called from any
// goroutine.
type lifetime struct {
	ctx context.Context // done when the client closes the channel or the session has to end, with the cause
	end context.CancelCauseFunc

	mu     sync.Mutex
	reason string // the first that was noted, one of [SessionEnds]; empty if the session need not say
	exited bool   // the status has been decided, and is sent
	status cli.ExitCode
	cause  error // of ctx when the status was decided; nil if ctx had not ended
}

// note says why the session ends. The first reason counts.
func (l *lifetime) note(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reason = cmp.Or(l.reason, why)
}

// exit decides the exit status of a session whose front end ends with code, once: isFirst is false from then on. A
// session that an administrator has ended fails.
func (l *lifetime) exit(code cli.ExitCode) (status cli.ExitCode, isFirst bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.exited {
		return l.status, false
	}
	l.exited, l.cause = true, context.Cause(l.ctx)
	l.status = statusFor(l.cause, code)
	return l.status, true
}

// statusFor returns status, or failure if cause is a kick or a ban.
func statusFor(cause error, status cli.ExitCode) cli.ExitCode {
	if isKicked(cause) || isBan(cause) {
		return cli.ExitFailure
	}
	return status
}

// ended returns why the session has ended, one of [SessionEnds], and its exit status, also if the front end has sent
// none. closedFor is the reason for which the connection was closed, if any; isStopped says that the server stops.
func (l *lifetime) ended(closedFor limit.Reason, isStopped bool) (why string, status cli.ExitCode) {
	l.mu.Lock()
	defer l.mu.Unlock()
	cause, status := l.cause, l.status
	if !l.exited {
		cause = context.Cause(l.ctx)
		status = statusFor(cause, cli.ExitOK)
	}
	switch {
	case l.reason != "":
		return l.reason, status
	case isGivingWay(cause):
		return endGaveWay, status
	case isKicked(cause):
		return endKicked, status
	case isBan(cause):
		return endBanned, status
	case closedFor == limit.TooSlow:
		return endStalled, status
	case isStopped, errors.Is(cause, limit.ErrServerDraining):
		return endShutdown, status
	case cause != nil:
		return endClientGone, status
	default:
		return endQuit, status
	}
}

func isGivingWay(cause error) bool {
	return errors.Is(cause, limit.ErrGaveWay) || errors.Is(cause, limit.ErrGaveWayAddress)
}
