package bot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"slices"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wording"
)

// line is one line of input, parsed; err is why it is a bad one.
type line struct {
	request request
	err     error
}

// readLines sends the lines of in and closes the channel at its end, or with ctx. It keeps one line at a time, and
// nothing of one that is too long.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	reader := bufio.NewReaderSize(in, botproto.MaxLine+1)
	for {
		l, more := readLine(reader)
		if !more {
			return
		}
		select {
		case lines <- l:
		case <-ctx.Done():
			return
		}
	}
}

// readLine reads one line; the last one may lack its end.
func readLine(in *bufio.Reader) (l line, more bool) {
	text, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		return line{err: errLineTooLong}, true
	case err != nil && len(text) == 0:
		return line{}, false
	}
	l.request, l.err = parse(text)
	return l, true
}

// request adds to a request what its fields mean here.
type request struct{ botproto.RawRequest }

func parse(text []byte) (request, error) {
	raw, err := botproto.ParseRequest(text)
	return request{raw}, err
}

// terms are what a request asks to play, the default if it names nothing. Rated matches are played in the pool of
// programs.
func (w request) terms() (match.Terms, error) {
	terms := match.DefaultTerms()
	if isRated, err := w.Bool("rated"); isRated || err != nil {
		return match.RatedTerms(match.BotPool), err
	}
	name, err := w.Text("variant")
	if err == nil && w.Has("variant") {
		terms.Variant, err = rules.ParseVariant(name)
	}
	if err == nil {
		terms.Clock, err = w.clock()
	}
	return terms, err
}

// clock is the clock that a request asks for: none if it names none.
func (w request) clock() (match.Clock, error) {
	text, err := w.Text("clock")
	if err != nil || !w.Has("clock") {
		return match.Clock{}, err
	}
	return match.ParseClock(text)
}

// accepts are the terms that a request accepts of an opponent, the preferred ones first, all with the same clock. One
// that asks for casual matches and names no clock has the default one, as people have.
func (w request) accepts() ([]match.Terms, error) {
	accepts, err := w.variants()
	if w.Has("rated") && !w.Has("clock") {
		for i, terms := range accepts {
			accepts[i].Clock = match.DefaultClock(terms.Variant)
		}
	}
	return accepts, err
}

// variants are the terms of [request.accepts], as they are named.
func (w request) variants() ([]match.Terms, error) {
	if isRated, err := w.Bool("rated"); !w.Has("variants") || isRated || err != nil {
		terms, err := w.terms()
		return []match.Terms{terms}, err
	}
	names, err := w.Texts("variants")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 || len(names) > match.MaxAccepted {
		return nil, fmt.Errorf(`%w: "variants" has to have 1 to %d names`, rules.ErrBadVariant, match.MaxAccepted)
	}
	clock, err := w.clock()
	if err != nil {
		return nil, err
	}
	var accepts []match.Terms
	for _, name := range names {
		variant, err := rules.ParseVariant(name)
		if err != nil {
			return nil, err
		}
		if terms := (match.Terms{Variant: variant, Clock: clock}); !slices.Contains(accepts, terms) {
			accepts = append(accepts, terms)
		}
	}
	return accepts, nil
}

// seat is the side that is asked for, [rules.Nobody] if it is to be drawn.
func (w request) seat() (rules.Side, error) {
	n, err := w.Number("seat")
	switch {
	case err != nil:
		return rules.Nobody, err
	case n == "" || n == "0":
		return rules.Nobody, nil
	case n == "1":
		return rules.First, nil
	case n == "2":
		return rules.Second, nil
	default:
		return rules.Nobody, fmt.Errorf(`%w: "seat" is 1, 2, or 0 to draw lots`, botproto.ErrBadJSON)
	}
}

// maxID is more than any match's ID has.
const maxID = 64

// match is the match that is meant. What cannot be one is not looked up.
func (w request) match() (match.ID, error) {
	id, err := w.Text("match")
	if err != nil {
		return "", err
	}
	if id == "" || len(id) > maxID {
		return "", match.ErrNoSuchMatch
	}
	for _, r := range id {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_' {
			return "", match.ErrNoSuchMatch
		}
	}
	return match.ID(id), nil
}

// about returns the match of a line that is about a match, and else "".
func (w request) about() match.ID {
	if v, _ := verbOf(w.Do); !v.aboutMatch {
		return ""
	}
	id, _ := w.match() // "" if it is no ID
	return id
}

// maxQueue is how many lines wait for one before them. While there are as many no further line is read.
const maxQueue = 8

// input is where the next line comes from; nil while no more are read.
func (s *session) input() <-chan line {
	if len(s.requests.queue) >= maxQueue {
		return nil
	}
	return s.requests.lines
}

// handleLine does a line about a match at once if it may, and queues every other line.
func (s *session) handleLine(value reflect.Value, open bool) {
	if !open {
		s.requests.lines = nil
		return
	}
	if l, _ := value.Interface().(line); s.mayPass(l.request) {
		s.doLine(l)
	} else {
		s.requests.queue = append(s.requests.queue, l)
	}
}

// mayPass reports whether a line need not wait for those before it: it is about a seat that the session has taken, and
// they are not.
func (s *session) mayPass(w request) bool {
	id := w.about()
	if id == "" {
		return false
	}
	t := s.table(id)
	return t != nil && t.IsSeated() && !slices.ContainsFunc(s.requests.queue, func(l line) bool {
		return l.request.about() == id
	})
}

// goOn does the lines of the queue until one has to wait. Once the input has ended and all is done, so is the session.
func (s *session) goOn() {
	for len(s.requests.queue) > 0 && s.end == nil && !s.requests.busy {
		l := s.requests.queue[0]
		// Until the place that was given up is gone, its player can have no other.
		if l.request.Do == botproto.DoSeek && s.seek.IsLeaving() {
			return
		}
		s.requests.queue = s.requests.queue[1:]
		s.doLine(l)
	}
	if s.requests.lines == nil && len(s.requests.queue) == 0 && !s.requests.busy && s.end == nil {
		s.end = errInput
	}
}

// doLine does what a line asks for, or says why not.
func (s *session) doLine(l line) {
	err := l.err
	if err == nil {
		err = s.dispatch(l.request)
	}
	if err != nil {
		s.refuse(err, l.request.Do)
	}
	s.countBadLines(err)
}

// dispatch does one request. What it leads to at once has been said when it returns, unless the session is busy with
// it then.
func (s *session) dispatch(w request) error {
	v, known := verbOf(w.Do)
	if !known {
		return fmt.Errorf("%w: %.40q", errUnknownDo, w.Do)
	}
	return v.do(s, w)
}

// countBadLines ends the session after too many bad lines in a row.
func (s *session) countBadLines(err error) {
	if !isBadLine(err) {
		s.bad = 0
		return
	}
	if s.bad++; s.bad >= maxBad && s.end == nil {
		s.notice(fmt.Sprintf("those were %d bad lines in a row: goodbye", maxBad))
		s.end = ErrBadLines
	}
}

func (s *session) pingVerb(w request) error {
	n, err := w.Number("n")
	if err != nil {
		return err
	}
	s.send(botproto.Pong{N: n})
	return nil
}

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

// isBadLine reports whether a line was refused for what it is, so that it would be refused whatever the match. A move
// that comes too late, or a code that has been used up, can happen to a good bot.
func isBadLine(err error) bool {
	if err == nil {
		return false
	}
	switch code, _ := codeAndMessage(err); code {
	case botproto.CodeBadJSON, botproto.CodeLineTooLong, botproto.CodeUnknownDo,
		botproto.CodeBadVariant, botproto.CodeBadClock, botproto.CodeBadLevel, botproto.CodeBadMove:
		return true
	default:
		return false
	}
}

// maxDo is the longest verb that is sent back.
const maxDo = 64

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
