package bot

import (
	"fmt"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// verb is how a request is done.
type verb struct {
	do         func(*session, request) error
	aboutMatch bool // its "match" names the match that it is about
}

// verbOf is the verb of that name, if there is one.
func verbOf(name botproto.Verb) (verb, bool) {
	switch name {
	case botproto.DoComputer:
		return verb{do: (*session).computerVerb}, true
	case botproto.DoSeek:
		return verb{do: (*session).seekVerb}, true
	case botproto.DoCancel:
		return verb{do: (*session).cancelVerb}, true
	case botproto.DoCreate:
		return verb{do: (*session).createVerb}, true
	case botproto.DoJoin:
		return verb{do: (*session).joinVerb}, true
	case botproto.DoMove:
		return verb{do: (*session).moveVerb, aboutMatch: true}, true
	case botproto.DoResign:
		return verb{do: (*session).resignVerb, aboutMatch: true}, true
	case botproto.DoRematch:
		return verb{do: (*session).rematchVerb, aboutMatch: true}, true
	case botproto.DoWatch:
		return verb{do: (*session).watchVerb, aboutMatch: true}, true
	case botproto.DoLeave:
		return verb{do: (*session).leaveVerb, aboutMatch: true}, true
	case botproto.DoState:
		return verb{do: (*session).stateVerb, aboutMatch: true}, true
	case botproto.DoPing:
		return verb{do: (*session).pingVerb}, true
	default:
		return verb{}, false
	}
}

// doLine does what a line asks for, or says why not.
func (s *session) doLine(l line) {
	err := l.err
	if err == nil {
		err = s.dispatch(l.request)
	}
	if err != nil {
		s.out.refuse(err, l.request.Do)
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

func (s *session) joinVerb(w request) error {
	code, err := w.Text("code")
	if err != nil {
		return err
	}
	if err := s.checkTableLimit(); err != nil {
		return err
	}
	p := s.player
	s.aside(w.Do, func() func() error {
		id, player, err := s.config.Manager.Join(s.ctx, p, match.Code(code))
		return func() error {
			if err != nil {
				return err
			}
			s.switchPlayer(player)
			_, err = s.sit(id, s.player.ID)
			return err
		}
	})
	return nil
}

// switchPlayer takes on the identity of a guest's seat. Seats of the identity before are kept; its ticket
// is given up.
func (s *session) switchPlayer(p match.Player) {
	if p.ID == s.player.ID {
		return
	}
	if s.seek != nil {
		s.giveUpSeek()
	}
	s.player = p
	s.out.welcome(s.player)
}

func (s *session) pingVerb(w request) error {
	n, err := w.Number("n")
	if err != nil {
		return err
	}
	s.out.send(botproto.Pong{N: n})
	return nil
}
