package bot

import (
	"errors"
	"slices"

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

// mySeat is the seat that a request is about. After coming back it is taken first, which sends the match.
func (s *session) mySeat(w request) (*table, error) {
	id, err := w.match()
	if err != nil {
		return nil, err
	}
	if t := s.table(id); t != nil && t.IsSeated() {
		return t, nil
	}
	if slices.Contains(s.closedMatches, id) {
		return nil, match.ErrMatchOver
	}
	return s.takeSeat(id)
}

// takeSeat opens the bot's own seat at a match.
func (s *session) takeSeat(id match.ID) (*table, error) {
	if s.table(id) == nil {
		if err := s.checkTableLimit(); err != nil {
			return nil, err
		}
	}
	return s.sit(id, s.player.ID)
}

func (s *session) moveVerb(w request) error {
	text, err := w.Text("move")
	if err != nil {
		return err
	}
	t, err := s.mySeat(w)
	if err != nil {
		return err
	}
	m, err := t.Variant.ParseMove(text)
	if err != nil {
		return err
	}
	return s.flush(t, t.Play(s.ctx, m))
}

// flush sends the events of a request at a table before its error, if it has one. What was recorded has been
// shown.
func (s *session) flush(t *table, err error) error {
	if err == nil {
		s.expect(t)
	}
	s.catchUp(t)
	return err
}

func (s *session) resignVerb(w request) error {
	t, err := s.mySeat(w)
	if err != nil {
		return err
	}
	return s.flush(t, t.Resign(s.ctx))
}

func (s *session) rematchVerb(w request) error {
	t, err := s.mySeat(w)
	if err != nil {
		return err
	}
	err = t.OfferRematch(s.ctx) // which records nothing the second time
	if s.catchUp(t); err != nil {
		return err
	}
	if t.IsGone() || t.Next == "" {
		return nil
	}
	next := s.table(t.Next)
	if next == nil {
		s.follow(t)
		return nil
	}
	s.sendFull(next)
	s.drop(t)
	return nil
}

// leaveVerb is silent where there is nothing to give up.
func (s *session) leaveVerb(w request) error {
	id, err := w.match()
	if err != nil {
		return err
	}
	t := s.table(id)
	if t == nil {
		if slices.Contains(s.closedMatches, id) {
			return nil
		}
		if t, err = s.takeSeat(id); err != nil {
			return err
		}
	}
	if t.IsSeated() && !t.Over() {
		if err := s.flush(t, t.Resign(s.ctx)); err != nil && !errors.Is(err, match.ErrMatchOver) {
			return err
		}
	}
	s.drop(t)
	return nil
}
