package bot

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/wire"
	"notakto/sshapp/wording"
)

const (
	maxUnsent = 64      // lines in the queue of an outbox
	batchSize = 4 << 10 // bytes after which a batch takes no further line
)

// outbox queues and writes the bot's events. The method run gathers queued lines into one write of about batchSize, to
// save packets, and has its own goroutine. Everything else belongs to the session's goroutine.
type outbox struct {
	ctx     context.Context
	config  *Config
	player  match.PlayerID // of the last welcome, for the log
	cutOff  bool           // the bot was told that this server cannot record moves
	sendErr error          // of the first event that could not be queued

	lines chan []byte
	done  chan struct{} // closed when run has ended
	err   error         // of Write, nil if run has written all lines, valid once done is closed
}

// welcome tells the bot its current identity.
func (o *outbox) welcome(p match.Player) {
	o.player = p.ID
	matches := o.config.Manager.PlayerMatches(p.ID)
	if matches == nil {
		matches = []match.ID{}
	}
	o.send(botproto.Welcome{Protocol: botproto.Version, Player: wire.NewPlayer(p), Matches: matches})
}

// send queues an event. On failure it sets sendErr, to ErrSlow if the queue stays full for Limits.Stall.
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
	if o.sendErr == nil {
		o.sendErr = err
	}
}

func (o *outbox) notice(message string) { o.send(botproto.Notice{Message: message}) }

func (o *outbox) tellCutOff(cutOff bool) {
	switch {
	case cutOff == o.cutOff:
	case cutOff:
		o.notice("the server cannot save moves now, and what it sends may be old: wait for the next " +
			"notice, or connect again")
	default:
		o.notice("the server can save moves again")
	}
	o.cutOff = cutOff
}

// maxEchoedVerb is the length of the longest verb that an error event repeats.
const maxEchoedVerb = 64

// refuse sends err as the answer to the request do, and logs a fault of the server.
func (o *outbox) refuse(err error, do botproto.Verb) {
	code, message := codeAndMessage(err, do)
	if code == botproto.CodeInternal {
		level := slog.LevelWarn
		if errors.Is(err, match.ErrUnavailable) { // the server logs an outage once
			level = slog.LevelDebug
		}
		o.config.Log.Log(context.Background(), level, "a bot's request failed", "event", "bot-request-failed",
			"player", string(o.player), "do", string(do), "error", err)
	}
	if errors.Is(err, errTooMany) { // the server itself counts what other limits refuse
		o.config.OnLimit(err)
	}
	if len(do) > maxEchoedVerb {
		do = ""
	}
	o.send(botproto.Error{Code: code, Message: message, Do: do})
}

// codeAndMessage returns the code and the text of err as the answer to the request do.
func codeAndMessage(err error, do botproto.Verb) (botproto.ErrorCode, string) {
	if own := (protocolError{}); errors.As(err, &own) {
		return own.code, err.Error()
	}
	if errors.Is(err, botproto.ErrBadJSON) {
		return botproto.CodeBadJSON, err.Error()
	}
	var refusal account.Error
	switch {
	case errors.As(err, &refusal): // of client.FindPlayer
		return botproto.CodeNoSuchPlayer, refusal.Error()
	case errors.Is(err, client.ErrRatedTerms):
		return botproto.CodeRated, client.ErrRatedTerms.Error()
	}
	said := wording.Explain(err)
	switch {
	case errors.Is(err, match.ErrRated) && slices.Contains([]botproto.Verb{botproto.DoSeek, botproto.DoRematch,
		botproto.DoAccept}, do):
		said.Message = "you play a rated pair: another can begin when it is over"
	case errors.Is(err, match.ErrNoSuchMatch): // without the wrapped details
		said.Message = match.ErrNoSuchMatch.Error()
	}
	return said.Code, said.Message
}

// protocolError is an error of the bot protocol, with its code.
type protocolError struct {
	code botproto.ErrorCode
	text string
}

func (p protocolError) Error() string { return p.text }

var (
	errLineTooLong = protocolError{botproto.CodeLineTooLong, "the line is longer than 4096 bytes"}
	errUnknownDo   = protocolError{botproto.CodeUnknownDo, "there is no such \"do\""}
	errNoDo        = protocolError{botproto.CodeUnknownDo, `the line has no "do"`}
	errTooMany     = protocolError{botproto.CodeTooMany, "this session has too many tables open: leave one first"}
)

// run writes until a write fails, or until finish was called and all lines are written.
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

// finish waits until all events are written, or for Limits.Stall at most. If sendErr is ErrSlow, finish returns ErrSlow
// at once. send must not be called after finish.
func (o *outbox) finish() error {
	close(o.lines)
	if errors.Is(o.sendErr, ErrSlow) {
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
