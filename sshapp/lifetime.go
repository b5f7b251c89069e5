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

// Reasons for the end of a session.
const (
	endQuit       = "quit"        // the player left, or the command was done
	endClientGone = "client-gone" // the client closed the session or the connection, or was disconnected
	endIdle       = "idle"
	endStalled    = "stalled" // the client did not read
	endGaveWay    = "gave-way"
	endKicked     = "kicked" // by an administrator or a moderator
	endBanned     = "banned" // by an administrator or a moderator
	endShutdown   = "shutdown"
	endPanic      = "panic"
)

// EndReasons returns the reasons for the end of a session, as the log and [FrontEndStats] name them.
func EndReasons() []string {
	return []string{endQuit, endClientGone, endIdle, endStalled, endGaveWay, endKicked, endBanned, endShutdown, endPanic}
}

type kickedError struct{ reason string }

func (k kickedError) Error() string {
	if k.reason == "" {
		return "an administrator has disconnected you"
	}
	return "an administrator has disconnected you: " + k.reason
}

type bannedError struct{ account.Ban }

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

// lifetime holds the context of a session, its exit status, and the reason for its end. Any goroutine may call its
// methods.
type lifetime struct {
	ctx context.Context // done with the cause when the client closes the channel or the session has to end
	end context.CancelCauseFunc

	mu     sync.Mutex
	reason string // from setReason, empty if ctx has the reason
	exited bool   // the status is decided, and is sent
	status cli.ExitCode
	cause  error // of ctx when the status was decided, nil if ctx had not ended
}

// setReason stores a reason for the end, one of [EndReasons]. Only the first call counts.
func (l *lifetime) setReason(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reason = cmp.Or(l.reason, why)
}

// exit decides the exit status from code, the status of the front end. Only the first call decides, and later calls
// return the decided status. The session of a kicked or banned player fails.
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

func statusFor(cause error, status cli.ExitCode) cli.ExitCode {
	if isKicked(cause) || isBan(cause) {
		return cli.ExitFailure
	}
	return status
}

// result returns the reason for the end, one of [EndReasons], and the exit status, even if exit was not called.
//
// closedFor holds the result of connection.closeReason, empty if the server has not closed the connection.
func (l *lifetime) result(closedFor limit.Reason, isStopped bool) (why string, status cli.ExitCode) {
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
