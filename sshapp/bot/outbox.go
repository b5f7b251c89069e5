package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
	"notakto/sshapp/wording"
)

const (
	maxUnsent = 64      // lines
	batchSize = 4 << 10 // bytes that are written at once, give or take a line
)

// outbox queues and writes the bot's events. Its writer takes all queued lines at once, so that a busy session costs
// few packets. Everything but run belongs to the session's goroutine.
type outbox struct {
	ctx    context.Context
	config *Config
	player match.PlayerID // of the last welcome, for the log
	cutOff bool           // the last notice said that this server can record nothing
	failed error          // why the first lost event could not be queued, or nil

	lines chan []byte
	done  chan struct{} // closed when run has ended
	err   error         // why run has ended, nil after finish; read it only once done is closed
}

// welcome tells the bot which player it is from now on.
func (o *outbox) welcome(p match.Player) {
	o.player = p.ID
	matches := o.config.Manager.MatchesOf(p.ID)
	if matches == nil {
		matches = []match.ID{}
	}
	o.send(botproto.Welcome{Protocol: botproto.Version, Player: wire.NewPlayer(p), Matches: matches})
}

// send queues an event. If that fails, send sets failed: to [ErrSlow] if the queue stays full for Limits.Stall.
func (o *outbox) send(event botproto.Event) {
	text, err := botproto.Encode(event)
	if err == nil {
		select {
		case o.lines <- text:
			return
		default:
		}
		timer := time.NewTimer(o.config.Limits.Stall)
		defer timer.Stop()
		select {
		case o.lines <- text:
			return
		case <-o.done:
			err = o.err
		case <-o.ctx.Done():
			err = errStopped
		case <-timer.C:
			err = ErrSlow
		}
	}
	if o.failed == nil {
		o.failed = err
	}
}

func (o *outbox) notice(message string) { o.send(botproto.Notice{Message: message}) }

// tellCutOff sends a notice when this server can no longer record moves, and when it can again.
func (o *outbox) tellCutOff(is bool) {
	switch {
	case is == o.cutOff:
	case is:
		o.notice("nothing can be recorded at this server just now, and what it tells may be old: wait for the next " +
			"notice, or connect again")
	default:
		o.notice("this server can record again")
	}
	o.cutOff = is
}

// maxDo is the length of the longest verb that an error event repeats.
const maxDo = 64

// refuse sends err as an error event for the request do. It logs a fault of the server.
func (o *outbox) refuse(err error, do botproto.Verb) {
	code, message := codeAndMessage(err)
	if code == botproto.CodeInternal {
		level := slog.LevelWarn
		if errors.Is(err, match.ErrUnavailable) { // the server logs this once, not for each line
			level = slog.LevelDebug
		}
		o.config.Log.Log(context.Background(), level, "a bot's request failed", "event", "bot-request-failed",
			"player", string(o.player), "do", string(do), "error", err)
	}
	if errors.Is(err, errTooMany) { // the server counts the other limits itself
		o.config.OnLimit(err)
	}
	if len(do) > maxDo {
		do = ""
	}
	o.send(botproto.Error{Code: code, Message: message, Do: do})
}

// codeAndMessage returns the code and the message that a bot receives for an error.
func codeAndMessage(err error) (botproto.ErrorCode, string) {
	if own := (protocolError{}); errors.As(err, &own) {
		return own.code, err.Error()
	}
	if errors.Is(err, botproto.ErrBadJSON) {
		return botproto.CodeBadJSON, err.Error()
	}
	said := wording.ForError(err)
	switch {
	case errors.Is(err, match.ErrRated): // a seek is the only request of a bot that waits for the end of a pair
		said.Message = "you play a rated pair: another can begin when it is over"
	case errors.Is(err, match.ErrNoSuchMatch): // without the text that wraps it
		said.Message = match.ErrNoSuchMatch.Error()
	}
	return said.Code, said.Message
}

// protocolError is an error of the bot protocol alone.
type protocolError struct {
	code botproto.ErrorCode
	text string
}

func (p protocolError) Error() string { return p.text }

var (
	errLineTooLong = protocolError{botproto.CodeLineTooLong, "the line is longer than 4096 bytes"}
	errUnknownDo   = protocolError{botproto.CodeUnknownDo, "there is no such thing to do"}
	errNoDo        = protocolError{botproto.CodeUnknownDo, `the line has no "do"`}
	errTooMany     = protocolError{botproto.CodeTooMany, "this session has too many tables open: leave one first"}
)

// run writes until a write fails, or until finish was called and everything is written. It runs in its own goroutine.
func (o *outbox) run() {
	o.err = ErrInternal // if Write panics
	defer close(o.done)
	batch := make([]byte, 0, batchSize)
	for first := range o.lines {
		batch = append(batch[:0], first...)
	gather:
		for len(batch) < batchSize {
			select {
			case text, open := <-o.lines:
				if !open {
					break gather
				}
				batch = append(batch, text...)
			default:
				break gather
			}
		}
		if _, o.err = o.config.Out.Write(batch); o.err != nil {
			return
		}
	}
	o.err = nil
}

// finish waits until everything is written, or until the bot is too slow. Nothing may be sent after finish.
func (o *outbox) finish() error {
	close(o.lines)
	if errors.Is(o.failed, ErrSlow) {
		return ErrSlow
	}
	timer := time.NewTimer(o.config.Limits.Stall)
	defer timer.Stop()
	select {
	case <-o.done:
		return o.err
	case <-timer.C:
		return ErrSlow
	}
}
