package bot

import (
	"fmt"
	"reflect"
	"slices"

	"notakto/sshapp/bot/botproto"
)

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
