package bot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"notakto/sshapp/bot/botproto"
)

// requests are the lines of a bot on their way.
type requests struct {
	lines <-chan line // nil once the input has ended
	queue []line      // read and not begun, because a line before them is not done
	busy  bool        // a line is being done by a goroutine of its own
	done  chan func() // what that goroutine hands back; there is room for it
}

// line is one line of input, parsed; err is why it is a bad one.
type line struct {
	request request
	err     error
}

// maxQueue is how many lines wait for one before them. While there are as many no further line is read.
const maxQueue = 8

// maxBad is how many bad lines in a row end a session.
const maxBad = 20

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

// countBadLines ends the session after too many bad lines in a row.
func (s *session) countBadLines(err error) {
	if !isBadLine(err) {
		s.bad = 0
		return
	}
	if s.bad++; s.bad >= maxBad && s.ending() == nil {
		s.out.notice(fmt.Sprintf("those were %d bad lines in a row: goodbye", maxBad))
		s.end = ErrBadLines
	}
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
