package bot

import (
	"fmt"
	"reflect"
	"time"
)

// hearLine does what a line asks for, or says why not.
func (s *session) hearLine(value reflect.Value, open bool) {
	if !open {
		s.end = errInput
		return
	}
	l, _ := value.Interface().(line)
	err := l.err
	if err == nil {
		err = s.obey(l.wish)
	}
	if err != nil {
		s.refuse(err, l.wish.do)
	}
	s.count(err)
}

// obey does one wish. Whatever it leads to at once has been said when it returns.
func (s *session) obey(w wish) error {
	do := verb(w.do)
	switch {
	case do == nil:
		return fmt.Errorf("%w: %.40q", errUnknownDo, w.do)
	case !s.pace.allow(time.Now()):
		return errRateLimited
	}
	return do(s, w)
}

// verb is how a wish is done; nil if nobody knows it.
func verb(do string) func(*session, wish) error {
	switch do {
	case "computer":
		return (*session).computer
	case "seek":
		return (*session).beginSeek
	case "cancel":
		return (*session).cancel
	case "create":
		return (*session).create
	case "join":
		return (*session).join
	case "move":
		return (*session).move
	case "resign":
		return (*session).resign
	case "rematch":
		return (*session).rematch
	case "watch":
		return (*session).watch
	case "leave":
		return (*session).leave
	case "state":
		return (*session).state
	case "ping":
		return (*session).ping
	default:
		return nil
	}
}

// count ends the session after too many bad lines in a row.
func (s *session) count(err error) {
	if !isBadLine(err) {
		s.bad = 0
		return
	}
	if s.bad++; s.bad >= maxBad && s.end == nil {
		s.notice(fmt.Sprintf("those were %d bad lines in a row: goodbye", maxBad))
		s.end = ErrBadLines
	}
}

func (s *session) ping(w wish) error {
	n, err := w.number("n")
	if err != nil {
		return err
	}
	s.say(pongEvent{Event: "pong", N: n})
	return nil
}
