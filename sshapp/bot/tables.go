package bot

import (
	"context"
	"errors"
	"slices"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
)

// maxEnded is how many tables of matches that are over stay open, the latest, for a rematch and to see the opponent go.
const maxEnded = 4

// maxPast is how many matches that are over and closed are remembered, so that their end is not sent again to a bot
// that only named them.
const maxPast = 64

// tables owns the tables that the session has open, and what the bot was sent of each. It sends to the outbox, and
// tells the idle rule when an opponent has moved. It touches no other part of the session: who sits down is an
// argument.
type tables struct {
	ctx    context.Context
	config *Config
	client *client.Session
	out    *outbox
	idle   *idle.Rule

	open   []*table   // in the order in which they were opened
	closed []match.ID // of the matches that were over when their tables were closed, the latest
}

// table is a table that the session has open, and what the bot was sent of it.
type table struct {
	*client.Table
	feed matchFeed
}

// isEnded reports whether the match is over and no second game of a pair is about to follow.
func (t *table) isEnded() bool { return t.Over() && t.SecondGameAt().IsZero() }

// playComputer opens a match of p against the computer.
func (t *tables) playComputer(p match.Player, r request) error {
	terms, err := r.terms()
	if err != nil {
		return err
	}
	name, err := r.Text("level")
	if err != nil {
		return err
	}
	level, err := strategy.ParseLevel(name)
	if err != nil {
		return err
	}
	seat, err := r.seat()
	if err != nil {
		return err
	}
	if err := t.checkLimit(); err != nil {
		return err
	}
	id, err := t.config.Manager.Play(t.ctx, p, terms, level, seat)
	if err == nil {
		_, err = t.sit(p.ID, id)
	}
	return err
}

// create opens a private table of p.
func (t *tables) create(p match.Player, r request) error {
	terms, err := r.terms()
	if err != nil {
		return err
	}
	if err := t.checkLimit(); err != nil {
		return err
	}
	id, code, err := t.config.Manager.OpenPrivate(t.ctx, p, terms)
	if err != nil {
		return err
	}
	t.out.send(botproto.Table{Code: code, Match: id})
	_, err = t.sit(p.ID, id)
	return err
}

func (t *tables) move(p match.PlayerID, r request) error {
	text, err := r.Text("move")
	if err != nil {
		return err
	}
	at, err := t.seatOf(p, r)
	if err != nil {
		return err
	}
	m, err := at.Variant.ParseMove(text)
	if err != nil {
		return err
	}
	return t.flush(at, at.Play(t.ctx, m))
}

func (t *tables) resign(p match.PlayerID, r request) error {
	at, err := t.seatOf(p, r)
	if err != nil {
		return err
	}
	return t.flush(at, at.Resign(t.ctx))
}

func (t *tables) rematch(p match.PlayerID, r request) error {
	at, err := t.seatOf(p, r)
	if err != nil {
		return err
	}
	err = at.OfferRematch(t.ctx) // which records nothing the second time
	if t.catchUp(at); err != nil {
		return err
	}
	if at.IsGone() || at.Next == "" {
		return nil
	}
	next := t.find(at.Next)
	if next == nil {
		t.follow(at)
		return nil
	}
	t.sendFull(next)
	t.drop(at)
	return nil
}

// leave is silent where there is nothing to give up.
func (t *tables) leave(p match.PlayerID, r request) error {
	id, err := r.match()
	if err != nil {
		return err
	}
	at := t.find(id)
	if at == nil {
		if slices.Contains(t.closed, id) {
			return nil
		}
		if at, err = t.takeSeat(p, id); err != nil {
			return err
		}
	}
	if at.IsSeated() && !at.Over() {
		if err := t.flush(at, at.Resign(t.ctx)); err != nil && !errors.Is(err, match.ErrMatchOver) {
			return err
		}
	}
	t.drop(at)
	return nil
}

// state sends a match as it stands. A player who comes back to a seat takes it by that, also after watching the match.
func (t *tables) state(p match.PlayerID, r request) error {
	id, err := r.match()
	if err != nil {
		return err
	}
	at := t.find(id)
	if at == nil || at.IsWatching() && slices.Contains(t.config.Manager.MatchesOf(p), id) {
		if at, err = t.takeSeat(p, id); err != nil || at.feed.begun {
			return err
		}
	}
	t.sendFull(at)
	return nil
}

// watch watches a match; one of p's own too, so that leaving gives up no seat. Where p has taken the seat in this
// session, watch sends the match as state does.
func (t *tables) watch(p match.PlayerID, r request) error {
	id, err := r.match()
	if err != nil {
		return err
	}
	at := t.find(id)
	if at == nil {
		if err := t.checkLimit(); err != nil {
			return err
		}
		watched, err := t.client.Spectate(t.ctx, id, p)
		if err != nil {
			return err
		}
		if at = t.add(watched); at.feed.begun {
			return nil
		}
	}
	t.sendFull(at)
	return nil
}

// sendFull sends the match event, and before it the code of one's own table that still waits.
func (t *tables) sendFull(at *table) {
	if at.Code != "" {
		t.out.send(botproto.Table{Code: at.Code, Match: at.ID})
	}
	for _, event := range at.feed.full(at.Snapshot, t.config.Manager.Now()) {
		t.out.send(event)
	}
}

// seatOf returns the table at which p has the seat that a request is about. After coming back p takes the seat first,
// which sends the match.
func (t *tables) seatOf(p match.PlayerID, r request) (*table, error) {
	id, err := r.match()
	if err != nil {
		return nil, err
	}
	if at := t.find(id); at != nil && at.IsSeated() {
		return at, nil
	}
	if slices.Contains(t.closed, id) {
		return nil, match.ErrMatchOver
	}
	return t.takeSeat(p, id)
}

// takeSeat opens the seat of p at a match.
func (t *tables) takeSeat(p match.PlayerID, id match.ID) (*table, error) {
	if t.find(id) == nil {
		if err := t.checkLimit(); err != nil {
			return nil, err
		}
	}
	return t.sit(p, id)
}

// checkLimit refuses a session that has enough tables open.
func (t *tables) checkLimit() error {
	if len(t.open)-t.countEnded() >= t.config.Limits.Tables {
		return errTooMany
	}
	return nil
}

func (t *tables) countEnded() (n int) {
	for _, at := range t.open {
		if at.isEnded() {
			n++
		}
	}
	return n
}

// sit takes the seat of p at a match. At a table that is open already it stays as it is, unless the bot only watches
// there.
func (t *tables) sit(p match.PlayerID, id match.ID) (*table, error) {
	at := t.find(id)
	if at != nil && at.IsSeated() {
		return at, nil
	}
	seated, err := t.client.Sit(t.ctx, id, p)
	switch {
	case errors.Is(err, client.ErrClosedAtOnce):
		return nil, match.ErrDraining
	case err != nil:
		return nil, err
	}
	if at != nil {
		t.drop(at)
	}
	return t.add(seated), nil
}

// add takes charge of a table and says how it stands.
func (t *tables) add(opened *client.Table) *table {
	at := &table{Table: opened, feed: matchFeed{seat: opened.Side}}
	t.open = append(t.open, at)
	t.tell(at, nil)
	return at
}

// find returns the table of a match that the session has open, with everything sent that it has shown; nil if there is
// none.
func (t *tables) find(id match.ID) *table {
	isOf := func(at *table) bool { return at.ID == id }
	i := slices.IndexFunc(t.open, isOf)
	if i < 0 {
		return nil
	}
	t.catchUp(t.open[i]) // which drops it if it has closed
	if i = slices.IndexFunc(t.open, isOf); i < 0 {
		return nil
	}
	return t.open[i]
}

// catchUp sends what a table has shown so far.
func (t *tables) catchUp(at *table) {
	for !at.IsGone() {
		select {
		case snapshot, open := <-at.Snapshots():
			t.onSnapshot(at, snapshot, open)
		default:
			return
		}
	}
}

// flush sends the events of a request at a table before its error, if it has one. Without an error the table is known
// to have shown a snapshot, or to close. That has to be waited for: while a newer snapshot takes the place of an older
// one there is none to be seen.
func (t *tables) flush(at *table, err error) error {
	if err == nil {
		select {
		case snapshot, open := <-at.Snapshots():
			t.onSnapshot(at, snapshot, open)
		case <-t.ctx.Done():
			t.drop(at)
		}
	}
	t.catchUp(at)
	return err
}

// onSnapshot takes a snapshot in. A table that has closed is dropped.
func (t *tables) onSnapshot(at *table, snapshot *match.Snapshot, open bool) {
	waited := at.IsTheirTurn()
	before := at.Take(snapshot, open)
	if !open {
		t.drop(at)
		return
	}
	if waited && !at.IsTheirTurn() {
		t.idle.Activity() // the time to think begins
	}
	t.tell(at, before)
}

// tell sends what is new at a table, and goes on to the rematch, or the second game of a pair, if there is one now.
// Nothing was sent of it before if before is nil.
func (t *tables) tell(at *table, before *match.Snapshot) {
	t.out.tellCutOff(at.CutOff)
	for _, event := range at.feed.diff(at.Snapshot, t.config.Manager.Now()) {
		if end, ok := event.(botproto.End); ok {
			end.Rating = t.rating(at)
			event = end
		}
		t.out.send(event)
	}
	if before != nil && at.IsSeated() {
		t.tellWithdrawn(at, before)
	}
	if at.IsSeated() && at.Next != "" && t.isNextNew(at, before) {
		t.follow(at)
	}
	for t.countEnded() > maxEnded {
		t.drop(t.open[slices.IndexFunc(t.open, (*table).isEnded)])
	}
}

// rating returns what the pair that has ended at a table changed for the bot; nil if it did not end one, or the rating
// cannot be read.
func (t *tables) rating(at *table) *botproto.Rating {
	if !at.IsSeated() {
		return nil
	}
	ctx, cancel := context.WithTimeout(t.ctx, client.CallTimeout)
	defer cancel()
	pair, _, ok := t.client.RatedPair(ctx, t.config.History, at.State, at.Player)
	if !ok {
		return nil
	}
	return &botproto.Rating{
		Before: pair.Before.Value(), Value: pair.After.Value(), Change: pair.Change(),
		Deviation: pair.After.WholeDeviation(), Provisional: pair.After.Provisional(),
		Pairs: pair.After.Pairs, Counts: pair.Counts,
	}
}

// tellWithdrawn says that an offer of a rematch has ended: the bot's own, or the opponent's if the bot waits for it.
func (t *tables) tellWithdrawn(at *table, before *match.Snapshot) {
	switch other := at.Opponent(); {
	case at.RematchWithdrawn(at.Side) && before.RematchOffered(at.Side):
		t.out.notice("you have begun another match: your offer of a rematch of match " + string(at.ID) + " has ended")
	case at.RematchWithdrawn(other) && !before.RematchWithdrawn(other) && at.RematchOffered(at.Side):
		t.out.notice(at.SeatState(other).Player.Name + " has begun another match, so match " + string(at.ID) +
			" has no rematch for now")
	}
}

// isNextNew reports whether the match that follows at a table has just begun there, or is a second game that began
// while the bot asked for the first one.
func (t *tables) isNextNew(at *table, before *match.Snapshot) bool {
	if before != nil {
		return before.Next == ""
	}
	return at.AwaitsSecondGame() && slices.Contains(t.config.Manager.MatchesOf(at.Player), at.Next)
}

// follow sits down in the rematch, and leaves the table of the match before.
func (t *tables) follow(at *table) {
	if _, err := t.sit(at.Player, at.Next); err != nil {
		t.out.refuse(err, botproto.DoRematch)
		return
	}
	t.drop(at)
}

func (t *tables) drop(at *table) {
	at.Close()
	if at.Over() {
		t.closed = append(t.closed[max(0, len(t.closed)-maxPast+1):], at.ID)
	}
	t.open = slices.DeleteFunc(t.open, func(other *table) bool { return other == at })
}

// awaitsOpponents reports whether it is not the bot's turn anywhere, and an opponent's in one of its matches.
func (t *tables) awaitsOpponents() bool {
	return slices.ContainsFunc(t.open, func(at *table) bool { return at.IsTheirTurn() }) &&
		!slices.ContainsFunc(t.open, func(at *table) bool { return at.IsMyTurn() })
}
