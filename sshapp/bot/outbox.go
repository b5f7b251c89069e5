package bot

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wording"
)

// outbox is what was said and not written yet. Its one writer takes as many lines at once as there are, so that a busy
// session costs few packets.
type outbox struct {
	ctx   context.Context
	stall time.Duration
	lines chan []byte
	done  chan struct{} // closed when the writer has ended
	err   error         // why, if it was not finish; to be read once done is closed
	slow  bool
}

const (
	maxUnsent = 64      // lines
	batchSize = 4 << 10 // bytes that are written at once, give or take a line
)

func newOutbox(ctx context.Context, stall time.Duration) *outbox {
	return &outbox{ctx: ctx, stall: stall, lines: make(chan []byte, maxUnsent), done: make(chan struct{})}
}

// run writes until finish was called and everything is written, or a write fails.
func (o *outbox) run(out io.Writer) {
	o.err = ErrInternal // if Write panics
	defer close(o.done)
	batch := make([]byte, 0, batchSize)
	for first := range o.lines {
		batch = o.gather(append(batch[:0], first...))
		if _, o.err = out.Write(batch); o.err != nil {
			return
		}
	}
	o.err = nil
}

// gather adds the lines that are there already.
func (o *outbox) gather(batch []byte) []byte {
	for len(batch) < batchSize {
		select {
		case text, open := <-o.lines:
			if !open {
				return batch
			}
			batch = append(batch, text...)
		default:
			return batch
		}
	}
	return batch
}

// send sends an event.
func (s *session) send(event botproto.Event) {
	text, err := botproto.Encode(event)
	if err == nil {
		err = s.out.put(text)
	}
	if err != nil && s.end == nil {
		s.end = err
	}
}

// put queues a line. If the queue stays full for too long the bot is too slow: [ErrSlow].
func (o *outbox) put(text []byte) error {
	select {
	case o.lines <- text:
		return nil
	default:
	}
	timer := time.NewTimer(o.stall)
	defer timer.Stop()
	select {
	case o.lines <- text:
		return nil
	case <-o.done:
		return o.err
	case <-o.ctx.Done():
		return errStopped
	case <-timer.C:
		o.slow = true
		return ErrSlow
	}
}

func (s *session) notice(message string) { s.send(botproto.Notice{Message: message}) }

// tellCutOff sends once that nothing can be recorded at this server, and once that this is over.
func (s *session) tellCutOff(is bool) {
	switch {
	case is == s.cutOff:
	case is:
		s.notice("nothing can be recorded at this server just now, and what it tells may be old: wait for the next " +
			"notice, or connect again")
	default:
		s.notice("this server can record again")
	}
	s.cutOff = is
}

func (s *session) welcome() {
	matches := s.config.Manager.MatchesOf(s.player.ID)
	if matches == nil {
		matches = []match.ID{}
	}
	s.send(botproto.Welcome{Protocol: botproto.Version, Player: describe(s.player), Matches: matches})
}

func describe(p match.Player) botproto.Player {
	return botproto.Player{ID: p.ID, Name: p.Name, Guest: p.Guest}
}

// refuse says why something was not done. What went wrong inside is for the log.
func (s *session) refuse(err error, do botproto.Verb) {
	code, message := codeAndMessage(err)
	if code == botproto.CodeInternal {
		level := slog.LevelWarn
		if errors.Is(err, match.ErrUnavailable) { // the server says that itself, once and not for each line
			level = slog.LevelDebug
		}
		s.config.Log.Log(context.Background(), level, "a bot's wish failed", "event", "bot-request-failed",
			"player", string(s.player.ID), "do", string(do), "error", err)
	}
	if errors.Is(err, errTooMany) { // the server counts the other limits itself
		s.config.OnLimit(err)
	}
	if len(do) > maxDo {
		do = ""
	}
	s.send(botproto.Error{Code: code, Message: message, Do: do})
}

// maxDo is the longest verb that is sent back.
const maxDo = 64

// protocolError is an error that only this front end has.
type protocolError struct {
	code botproto.ErrorCode
	text string
}

func (e protocolError) Error() string { return e.text }

var (
	errLineTooLong = protocolError{botproto.CodeLineTooLong, "the line is longer than 4096 bytes"}
	errUnknownDo   = protocolError{botproto.CodeUnknownDo, "there is no such thing to do"}
	errTooMany     = protocolError{botproto.CodeTooMany, "this session has too many tables open: leave one first"}
)

// codeAndMessage are what a bot receives for an error.
func codeAndMessage(err error) (botproto.ErrorCode, string) {
	if own := (protocolError{}); errors.As(err, &own) {
		return own.code, err.Error()
	}
	if errors.Is(err, botproto.ErrBadJSON) {
		return botproto.CodeBadJSON, err.Error()
	}
	said := wording.ForError(err)
	return said.Code, said.Message
}

// finish waits until everything is written, though not for ever. Nothing may be put after it.
func (o *outbox) finish() error {
	close(o.lines)
	if o.slow {
		return ErrSlow
	}
	timer := time.NewTimer(o.stall)
	defer timer.Stop()
	select {
	case <-o.done:
		return o.err
	case <-timer.C:
		return ErrSlow
	}
}
