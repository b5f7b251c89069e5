package bot

import (
	"errors"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
)

// sit takes a player's seat at a match. At a table that is open already it stays as it is, unless the bot only watches
// there.
func (s *session) sit(id match.ID, p match.PlayerID) (*table, error) {
	t := s.table(id)
	if t != nil && t.IsSeated() {
		return t, nil
	}
	at, err := s.client.Sit(s.ctx, id, p)
	switch {
	case errors.Is(err, client.ErrClosedAtOnce):
		return nil, match.ErrDraining
	case err != nil:
		return nil, err
	}
	if t != nil {
		s.drop(t)
	}
	return s.open(at), nil
}

func (s *session) computerVerb(w request) error {
	terms, err := w.terms()
	if err != nil {
		return err
	}
	name, err := w.Text("level")
	if err != nil {
		return err
	}
	level, err := strategy.ParseLevel(name)
	if err != nil {
		return err
	}
	seat, err := w.seat()
	if err != nil {
		return err
	}
	if err := s.checkTableLimit(); err != nil {
		return err
	}
	id, err := s.config.Manager.Play(s.ctx, s.player, terms, level, seat)
	if err == nil {
		_, err = s.sit(id, s.player.ID)
	}
	return err
}

func (s *session) createVerb(w request) error {
	terms, err := w.terms()
	if err != nil {
		return err
	}
	if err := s.checkTableLimit(); err != nil {
		return err
	}
	id, code, err := s.config.Manager.OpenPrivate(s.ctx, s.player, terms)
	if err != nil {
		return err
	}
	s.send(botproto.Table{Code: code, Match: id})
	_, err = s.sit(id, s.player.ID)
	return err
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
	s.welcome()
}
