package sshapp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"notakto/match/account"
	"notakto/match/limit"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

// The reasons for which sessions end.
const (
	endQuit       = "quit"        // the player left, or the command was done
	endClientGone = "client-gone" // the client closed the session or the connection, or was disconnected
	endIdle       = "idle"
	endStalled    = "stalled" // the client did not read
	endGaveWay    = "gave-way"
	endKicked     = "kicked" // by an administrator
	endBanned     = "banned" // by an administrator
	endShutdown   = "shutdown"
	endPanic      = "panic"
)

// SessionEnds returns the reasons for which sessions end.
func SessionEnds() []string {
	return []string{endQuit, endClientGone, endIdle, endStalled, endGaveWay, endKicked, endBanned, endShutdown, endPanic}
}

// kickedError is the cause with which an administrator ends a session.
type kickedError struct{ reason string }

func (k kickedError) Error() string {
	if k.reason == "" {
		return "an administrator has disconnected you"
	}
	return "an administrator has disconnected you: " + k.reason
}

// bannedError is the cause with which a ban ends or refuses a session.
type bannedError struct{ account.Ban }

// Error names the end and the reason of the ban, and the reference by which the operator knows it.
func (b bannedError) Error() string {
	who, until, why := "you are", "", ""
	if b.Network.IsValid() {
		who = "your address is"
	}
	if !b.Until.IsZero() {
		until = " until " + wording.Time(b.Until)
	}
	if b.Reason != "" {
		why = ": " + b.Reason
	}
	return fmt.Sprintf("%s banned from this server%s%s (reference %s)", who, until, why, b.Reference)
}

func isKicked(cause error) bool { return errors.As(cause, new(kickedError)) }

func isBan(cause error) bool { return errors.As(cause, new(bannedError)) }

func isGivingWay(cause error) bool {
	return errors.Is(cause, limit.ErrGaveWay) || errors.Is(cause, limit.ErrGaveWayAddress)
}

// lifetime holds the context of a session, its exit status, and why it ends. Its methods may be called from any
// goroutine.
type lifetime struct {
	ctx context.Context // done when the client closes the channel or the session has to end, with the cause
	end context.CancelCauseFunc

	mu     sync.Mutex
	reason string // the first that note got, one of [SessionEnds]; empty for the reason that ctx gives
	exited bool   // the status has been decided, and is sent
	status cli.ExitCode
	cause  error // of ctx when the status was decided; nil if ctx had not ended
}

// note keeps a reason for the end, one of [SessionEnds]. Only the first reason counts.
func (l *lifetime) note(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reason = cmp.Or(l.reason, why)
}

// exit decides the exit status of a session whose front end ends with code. Only the first call decides. Later calls
// return its status, with isFirst false. A session that an administrator has ended fails.
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

// ended returns why the session has ended, one of [SessionEnds], and its exit status, also if exit was not called.
// closedFor is the reason for which the server closed the connection, if any; isStopped says that the server stops.
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
