package bot

import (
	"errors"
	"slices"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
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

func (s *session) seekVerb(w request) error {
	accepts, err := w.accepts()
	if err != nil {
		return err
	}
	if s.seek != nil {
		return match.ErrAlreadySeeking
	}
	if err := s.checkTableLimit(); err != nil {
		return err
	}
	player := s.player
	s.aside(w.Do, func() func() error {
		seek, err := s.client.Seek(s.ctx, player, accepts...)
		return func() error {
			if err != nil {
				return err
			}
			s.seek = seek
			s.send(seeking(accepts))
			return nil
		}
	})
	return nil
}

// seeking says for what the bot waits: the list only if there are several.
func seeking(accepts []match.Terms) botproto.Seeking {
	first := accepts[0]
	event := botproto.Seeking{
		Variant: first.Variant.String(), Clock: clockName(first.Clock), Rated: first.Pool.IsRated(),
	}
	if len(accepts) > 1 {
		for _, terms := range accepts {
			event.Variants = append(event.Variants, terms.Variant.String())
		}
	}
	return event
}

// cancelVerb always has its answer: that the bot waits no longer, or, where it comes too late, the match.
func (s *session) cancelVerb(w request) error {
	if s.seek == nil {
		s.send(botproto.Cancelled{})
		return nil
	}
	ask := s.seek.Leave()
	s.aside(w.Do, func() func() error {
		ask()
		return func() error { return s.handleSeek() }
	})
	return nil
}

// giveUpSeek says at once how it went, unless the match is being opened just now.
func (s *session) giveUpSeek() {
	s.seek.Leave()()
	_ = s.handleSeek()
}

// handleSeek says what has become of the place so far. The error is nil.
func (s *session) handleSeek() error {
	for s.seek != nil {
		select {
		case status, open := <-s.seek.Status():
			s.onSeekStatus(status, open)
		default:
			return nil
		}
	}
	return nil
}

// onSeekStatus sits down in the match that was found. A seek that ends without one was cancelled.
func (s *session) onSeekStatus(status lobby.SeekStatus, open bool) {
	seek := s.seek
	state := seek.Take(status, open)
	if seek.IsOver() {
		s.seek = nil
	}
	switch state {
	case client.QueueStopping:
		s.notice(match.ErrDraining.Error() + "; " + queueClosed)
		s.send(botproto.Cancelled{})
	case client.QueueMoved:
		s.notice("you wait for an opponent at another window now")
		s.send(botproto.Cancelled{})
	case client.QueueLeft:
		s.send(botproto.Cancelled{})
	case client.QueueFound:
		if _, err := s.sit(status.Match, seek.Player); err != nil {
			s.refuse(err, botproto.DoSeek)
		}
	case client.QueueWaiting, client.QueueLeaving:
		s.tellCutOff(status.CutOff)
	}
}

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
