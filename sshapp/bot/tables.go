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

const (
	maxEnded = 4  // open tables whose matches are over, the latest: for a rematch, and to see the opponent leave
	maxPast  = 64 // matches in tables.closed
)

// tables holds the open tables of the session and sends what happens there.
type tables struct {
	ctx    context.Context
	config *Config
	client *client.Session
	out    *outbox
	idle   *idle.Rule

	open client.Tables
	// closed holds the latest matches that were over when their tables were closed. A line about one of them does not
	// reopen its table, which would send the end event again.
	closed []match.ID
}

// isEnded reports whether the match is over and is not the first game of a pair whose second game will follow.
func isEnded(at *client.Table) bool { return at.Over() && at.SecondGameAt().IsZero() }

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
	side, err := r.seat()
	if err != nil {
		return err
	}
	if err := t.checkLimit(); err != nil {
		return err
	}
	id, err := t.client.Play(t.ctx, p, terms, level, side)
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
	id, code, err := t.client.OpenPrivate(t.ctx, p, terms)
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
	t.sendWhole(next)
	t.drop(at)
	return nil
}

// leave leaves a table, and resigns a match in progress. To leave a table that has closed is no error.
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

// state sends a match as it stands. A player who comes back takes the seat, also after watching the match.
func (t *tables) state(p match.PlayerID, r request) error {
	id, err := r.match()
	if err != nil {
		return err
	}
	at := t.find(id)
	if at == nil || at.IsWatching() && slices.Contains(t.config.Manager.MatchesOf(p), id) {
		if at, err = t.takeSeat(p, id); err != nil || at.Started() {
			return err
		}
	}
	t.sendWhole(at)
	return nil
}

// watch watches a match. A match of p is only watched too, so that leaving it gives up no seat. If p has the seat in
// this session, watch does what state does.
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
		if at, err = t.client.Spectate(t.ctx, id, p); err != nil {
			return err
		}
		if t.add(at); at.Started() {
			return nil
		}
	}
	t.sendWhole(at)
	return nil
}

// sendWhole sends the match event. For the player's own table that waits for a guest, it sends the code first.
func (t *tables) sendWhole(at *client.Table) {
	if at.Code != "" {
		t.out.send(botproto.Table{Code: at.Code, Match: at.ID})
	}
	for _, event := range wholeMatch(at.Snapshot, at.Side, t.config.Manager.Now()) {
		t.out.send(event)
	}
}

// seatOf returns the table of r's match at which p has a seat. A player who has come back takes the seat first, which
// sends the match.
func (t *tables) seatOf(p match.PlayerID, r request) (*client.Table, error) {
	id, err := r.match()
	if err != nil {
		return nil, err
	}
	if at := t.find(id); at.IsSeated() {
		return at, nil
	}
	if slices.Contains(t.closed, id) {
		return nil, match.ErrMatchOver
	}
	return t.takeSeat(p, id)
}

// takeSeat opens the seat of p at a match.
func (t *tables) takeSeat(p match.PlayerID, id match.ID) (*client.Table, error) {
	if t.open.Find(id) == nil {
		if err := t.checkLimit(); err != nil {
			return nil, err
		}
	}
	return t.sit(p, id)
}

// checkLimit returns errTooMany if the session has as many live tables as it may.
func (t *tables) checkLimit() error {
	live := 0
	for _, at := range t.open {
		if !isEnded(at) {
			live++
		}
	}
	if live >= t.config.Limits.Tables {
		return errTooMany
	}
	return nil
}

// sit takes the seat of p at a match. It returns a table that is open already, unless the bot only watches there.
func (t *tables) sit(p match.PlayerID, id match.ID) (*client.Table, error) {
	at := t.find(id)
	if at.IsSeated() {
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
	t.add(seated)
	return seated, nil
}

// add keeps a new table and sends its state.
func (t *tables) add(at *client.Table) {
	t.open = append(t.open, at)
	t.tell(at, nil)
}

// find returns the open table of a match, nil for none. All snapshots that the table has shown are sent before.
func (t *tables) find(id match.ID) *client.Table {
	if at := t.open.Find(id); at != nil {
		t.catchUp(at) // drops the table if it has closed
	}
	return t.open.Find(id)
}

// catchUp sends the pending events of a table.
func (t *tables) catchUp(at *client.Table) {
	for !at.IsGone() {
		select {
		case snapshot, open := <-at.Snapshots():
			t.onSnapshot(at, snapshot, open)
		default:
			return
		}
	}
}

// flush sends the events of a request before its error, if there is one. Without an error, it waits for the snapshot
// that the request has caused, or for the table to close. Without the wait it could see no snapshot, since a newer one
// may be about to replace an older one.
func (t *tables) flush(at *client.Table, err error) error {
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

// onSnapshot takes a snapshot. It drops a table that has closed.
func (t *tables) onSnapshot(at *client.Table, snapshot *match.Snapshot, open bool) {
	waited := at.IsTheirTurn()
	before := at.Take(snapshot, open)
	if !open {
		t.drop(at)
		return
	}
	if waited && !at.IsTheirTurn() {
		t.idle.Activity() // the bot's time to think begins
	}
	t.tell(at, before)
}

// tell sends what is new at a table. If the match has a rematch or a second game, tell goes on to that match. before is
// the last snapshot that was sent, nil for none.
func (t *tables) tell(at *client.Table, before *match.Snapshot) {
	t.out.tellCutOff(at.CutOff)
	for _, event := range eventsSince(before, at.Snapshot, at.Side, t.config.Manager.Now()) {
		if end, ok := event.(botproto.End); ok {
			end.Rating = t.rating(at)
			event = end
		}
		t.out.send(event)
	}
	if before != nil && at.IsSeated() {
		switch other := at.Opponent(); {
		case at.RematchWithdrawn(at.Side) && before.RematchOffered(at.Side):
			t.out.notice("you have begun another match: your offer of a rematch of match " + string(at.ID) + " has ended")
		case at.RematchWithdrawn(other) && !before.RematchWithdrawn(other) && at.RematchOffered(at.Side):
			t.out.notice(at.SeatState(other).Player.Name + " has begun another match, so match " + string(at.ID) +
				" has no rematch for now")
		}
	}
	if at.IsSeated() && at.Next != "" {
		isNew := before != nil && before.Next == ""
		if before == nil { // a second game may have begun while the bot asked for the first one
			isNew = at.AwaitsSecondGame() && slices.Contains(t.config.Manager.MatchesOf(at.Player), at.Next)
		}
		if isNew {
			t.follow(at)
		}
	}
	ended := slices.DeleteFunc(slices.Clone(t.open), func(at *client.Table) bool { return !isEnded(at) })
	for _, oldest := range ended[:max(0, len(ended)-maxEnded)] {
		t.drop(oldest)
	}
}

// rating returns how the pair that has ended at a table changed the bot's rating. It returns nil if no pair has
// ended, or if the rating cannot be read.
func (t *tables) rating(at *client.Table) *botproto.Rating {
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

// follow takes the seat at the next match of the same players, and drops the table of the last one.
func (t *tables) follow(at *client.Table) {
	if _, err := t.sit(at.Player, at.Next); err != nil {
		t.out.refuse(err, botproto.DoRematch)
		return
	}
	t.drop(at)
}

func (t *tables) drop(at *client.Table) {
	t.open.Drop(at)
	if at.Over() {
		t.closed = append(t.closed[max(0, len(t.closed)-maxPast+1):], at.ID)
	}
}

// awaitsOpponents reports whether the bot waits for an opponent's move and has no move to make itself.
func (t *tables) awaitsOpponents() bool {
	return t.open.AwaitOpponent() && !slices.ContainsFunc(t.open, (*client.Table).IsMyTurn)
}
