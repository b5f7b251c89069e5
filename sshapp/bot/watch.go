package bot

import (
	"errors"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// stateVerb sends a match as it stands. A player who comes back to a seat takes it by that.
func (s *session) stateVerb(w request) error { return s.show(w, (*session).takeSeat) }

// watchVerb watches a match. A player of the match takes the seat instead.
func (s *session) watchVerb(w request) error { return s.show(w, (*session).visit) }

// show sends a match as it stands, at a table that is opened first if it is not open yet.
func (s *session) show(w request, enter func(*session, match.ID) (*table, error)) error {
	id, err := w.match()
	if err != nil {
		return err
	}
	t := s.table(id)
	if t == nil {
		if t, err = enter(s, id); err != nil || t.feed.begun {
			return err
		}
	}
	s.sendFull(t)
	return nil
}

func (s *session) visit(id match.ID) (*table, error) {
	t, err := s.takeSeat(id)
	if !errors.Is(err, match.ErrNotSeated) {
		return t, err
	}
	at, err := s.client.Watch(s.ctx, id, s.player.ID)
	if err != nil {
		return nil, err
	}
	return s.open(at), nil
}

// sendFull sends the match event, and before it the code of one's own table that still waits.
func (s *session) sendFull(t *table) {
	if t.Code != "" {
		s.send(botproto.Table{Code: t.Code, Match: t.ID})
	}
	for _, event := range t.feed.full(t.Snapshot, s.config.Manager.Now()) {
		s.send(event)
	}
}
