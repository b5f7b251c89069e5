package bot

import (
	"errors"
	"slices"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
)

// table is a table that the session has open, and what the bot was sent of it.
type table struct {
	*client.Table
	feed matchFeed
}

// maxEnded is how many tables of matches that are over stay open, the latest, for a rematch and to see the opponent go.
const maxEnded = 4

// maxPast is how many matches that are over and closed are remembered, so that their end is not sent again to a bot
// that only named them.
const maxPast = 64

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
	s.out.send(botproto.Table{Code: code, Match: id})
	_, err = s.sit(id, s.player.ID)
	return err
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
		s.out.send(botproto.Table{Code: t.Code, Match: t.ID})
	}
	for _, event := range t.feed.full(t.Snapshot, s.config.Manager.Now()) {
		s.out.send(event)
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

// checkTableLimit refuses a session that has enough tables open.
func (s *session) checkTableLimit() error {
	if len(s.tables)-s.endedTables() >= s.config.Limits.Tables {
		return errTooMany
	}
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

// open adds a table and says how it stands.
func (s *session) open(at *client.Table) *table {
	t := &table{Table: at, feed: matchFeed{seat: at.Side}}
	s.tables = append(s.tables, t)
	s.tell(t, nil)
	return t
}

// table is the table of a match that the session has open, with everything sent that it has shown; nil if there is
// none.
func (s *session) table(id match.ID) *table {
	find := func() *table {
		i := slices.IndexFunc(s.tables, func(t *table) bool { return t.ID == id })
		if i < 0 {
			return nil
		}
		return s.tables[i]
	}
	if t := find(); t != nil {
		s.catchUp(t) // which drops it if it has closed
	}
	return find()
}

// catchUp sends what a table has shown so far.
func (s *session) catchUp(t *table) {
	for !t.IsGone() {
		select {
		case snapshot, open := <-t.Snapshots():
			s.onSnapshot(t, snapshot, open)
		default:
			return
		}
	}
}

// expect sends the next snapshot of a table that is known to have shown one, or to close. It has to be waited for:
// while a newer snapshot takes the place of an older one there is none to be seen.
func (s *session) expect(t *table) {
	select {
	case snapshot, open := <-t.Snapshots():
		s.onSnapshot(t, snapshot, open)
	case <-s.ctx.Done():
		s.drop(t)
	}
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

// onSnapshot takes a snapshot in. A table that has closed is dropped.
func (s *session) onSnapshot(t *table, snapshot *match.Snapshot, open bool) {
	waited := t.IsTheirTurn()
	before := t.Take(snapshot, open)
	if !open {
		s.drop(t)
		return
	}
	if waited && !t.IsTheirTurn() {
		s.idle.Activity() // the time to think begins
	}
	s.tell(t, before)
}

// tell sends what is new at a table, and goes on to the rematch, or the second game of a pair, if there is one now.
// Nothing was sent of it before if before is nil.
func (s *session) tell(t *table, before *match.Snapshot) {
	s.out.tellCutOff(t.CutOff)
	for _, event := range t.feed.diff(t.Snapshot, s.config.Manager.Now()) {
		s.out.send(event)
	}
	if t.IsSeated() && t.Next != "" && s.isNextNew(t, before) {
		s.follow(t)
	}
	s.dropEnded()
}

// isNextNew reports whether the match that follows at a table has just begun there, or is a second game that began
// while the bot asked for the first one.
func (s *session) isNextNew(t *table, before *match.Snapshot) bool {
	if before != nil {
		return before.Next == ""
	}
	return t.AwaitsSecondGame() && slices.Contains(s.config.Manager.MatchesOf(t.Player), t.Next)
}

// follow sits down in the rematch, and leaves the table of the match before.
func (s *session) follow(t *table) {
	if _, err := s.sit(t.Next, t.Player); err != nil {
		s.out.refuse(err, "rematch")
		return
	}
	s.drop(t)
}

func (s *session) drop(t *table) {
	t.Close()
	if t.Over() {
		s.closedMatches = append(s.closedMatches[max(0, len(s.closedMatches)-maxPast+1):], t.ID)
	}
	s.tables = slices.DeleteFunc(s.tables, func(other *table) bool { return other == t })
}

// dropEnded drops the oldest tables of matches that are over if there are too many.
func (s *session) dropEnded() {
	for s.endedTables() > maxEnded {
		oldest := slices.IndexFunc(s.tables, (*table).isEnded)
		s.drop(s.tables[oldest])
	}
}

func (s *session) endedTables() (n int) {
	for _, t := range s.tables {
		if t.isEnded() {
			n++
		}
	}
	return n
}

// isEnded reports whether the match is over and no second game of a pair is about to follow.
func (t *table) isEnded() bool { return t.Over() && t.SecondGameAt().IsZero() }

// awaitsOpponents reports whether it is not the bot's turn anywhere, and an opponent's in one of its matches.
func (s *session) awaitsOpponents() bool {
	return slices.ContainsFunc(s.tables, func(t *table) bool {
		return t.IsTheirTurn()
	}) && !slices.ContainsFunc(s.tables, func(t *table) bool { return t.IsMyTurn() })
}
