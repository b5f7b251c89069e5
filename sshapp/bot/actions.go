package bot

import (
	"errors"
	"slices"

	"notakto/match"
)

// mySeat is the seat that a request is about. After coming back it is taken first, which tells the match.
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
	return s.take(id)
}

// take opens the bot's own seat at a match.
func (s *session) take(id match.ID) (*table, error) {
	if s.table(id) == nil {
		if err := s.checkTableLimit(); err != nil {
			return nil, err
		}
	}
	return s.sit(id, s.player.ID)
}

func (s *session) move(w request) error {
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

// flush tells what has come of a request at a table before its error, if it has one. A wish that was recorded has
// been shown.
func (s *session) flush(t *table, err error) error {
	if err == nil {
		s.expect(t)
	}
	s.catchUp(t)
	return err
}

func (s *session) resign(w request) error {
	t, err := s.mySeat(w)
	if err != nil {
		return err
	}
	return s.flush(t, t.Resign(s.ctx))
}

func (s *session) rematch(w request) error {
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

// leave is silent where there is nothing to give up.
func (s *session) leave(w request) error {
	id, err := w.match()
	if err != nil {
		return err
	}
	t := s.table(id)
	if t == nil {
		if slices.Contains(s.closedMatches, id) {
			return nil
		}
		if t, err = s.take(id); err != nil {
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
