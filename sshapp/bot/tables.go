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
	"notakto/sshapp/wire"
	"notakto/sshapp/wording"
)

const (
	maxEnded  = 4  // tables kept after their matches, for a rematch and news of the opponent
	maxClosed = 64 // IDs in tables.closed
)

// tables holds the session's open tables and sends their events.
type tables struct {
	ctx    context.Context
	config *Config
	client *client.Session
	out    *outbox
	idle   *idle.Rule

	open client.Tables
	// closed holds the latest matches that were over when their tables were closed. seatOf and leave do not reopen such a
	// table, since the end event would be sent again.
	closed []match.ID
}

// isEnded reports whether the match is over and no second game of a pair follows.
func isEnded(at *client.Table) bool { return at.IsOver() && at.SecondGameAt().IsZero() }

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
	id, err := t.client.PlayComputer(t.ctx, p, terms, level, side)
	if err == nil {
		_, err = t.sit(p.ID, id)
	}
	return err
}

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
	err = at.OfferRematch(t.ctx) // adds no event if repeated
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

// request asks for a takeback, agrees to one, or declines a request. A line without an effect has no answer.
func (t *tables) request(p match.PlayerID, r request, kind match.Kind) error {
	at, err := t.seatOf(p, r)
	if err != nil || at.HasAsked(kind) || kind == match.Declined && at.RequestTo(at.Side) == 0 {
		return err
	}
	return t.flush(at, at.Ask(t.ctx, kind))
}

// hint sends a hint if the match has hints. Otherwise hint asks for hints or agrees to them. A computer agrees at once,
// and the hint follows.
func (t *tables) hint(p match.PlayerID, r request) error {
	at, err := t.seatOf(p, r)
	if err != nil || at.HasAsked(match.HintsOffered) {
		return err
	}
	if !at.Hinted {
		if err := t.flush(at, at.Ask(t.ctx, match.HintsOffered)); err != nil || !at.Hinted || !at.IsAgainstComputer() {
			return err
		}
	}
	review, _, err := at.NextHint()
	if err != nil {
		return err
	}
	hint := botproto.Hint{Match: at.ID, Ply: len(at.Moves) + 1, Verdict: review.VerdictBefore.String()}
	if review.VerdictBefore != strategy.Loss {
		hint.Move = at.Variant.FormatMove(review.Move)
	}
	parts := wording.Hints(review)
	hint.Text = parts[len(parts)-1]
	t.out.send(hint)
	return nil
}

// leave leaves a table, and resigns a match in progress. Leaving a closed table is no error. Limits.Tables does not
// apply, because leave drops the table.
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
		if at, err = t.sit(p, id); err != nil {
			return err
		}
	}
	if at.IsSeated() && !at.IsOver() {
		if err := t.flush(at, at.Resign(t.ctx)); err != nil && !errors.Is(err, match.ErrMatchOver) {
			return err
		}
	}
	t.drop(at)
	return nil
}

// state sends the whole match. If the player has a seat there, state takes it, even if the bot was watching.
func (t *tables) state(p match.PlayerID, r request) error {
	id, err := r.match()
	if err != nil {
		return err
	}
	at := t.find(id)
	if at == nil || at.IsWatching() && slices.Contains(t.config.Manager.PlayerMatches(p), id) {
		if at, err = t.takeSeat(p, id); err != nil || at.HasStarted() {
			return err
		}
	}
	t.sendWhole(at)
	return nil
}

// watch watches a match. watch takes no seat even in the player's own match, because leave would then resign the match.
// If the bot has the seat already, watch sends the whole match, as state does.
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
		if t.add(at); at.HasStarted() {
			return nil
		}
	}
	t.sendWhole(at)
	return nil
}

// sendWhole sends the whole match, after the code of a private table without an opponent.
func (t *tables) sendWhole(at *client.Table) {
	if at.Code != "" {
		t.out.send(botproto.Table{Code: at.Code, Match: at.ID})
	}
	for _, event := range wholeMatch(at.Snapshot, at.Side, t.config.Manager.Now()) {
		t.out.send(event)
	}
}

// seatOf returns the table of p's seat in r's match. If the session has no table with that seat, seatOf takes the seat,
// and the bot receives the whole match.
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

func (t *tables) takeSeat(p match.PlayerID, id match.ID) (*client.Table, error) {
	if t.open.Find(id) == nil {
		if err := t.checkLimit(); err != nil {
			return nil, err
		}
	}
	return t.sit(p, id)
}

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

// sit takes the seat of p at a match. A table with a seat is returned as it is. A watched table is replaced.
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
	t.sendChanges(at, nil)
}

// find returns the open table of a match, or nil. The pending events of the table are sent before find returns.
func (t *tables) find(id match.ID) *client.Table {
	if at := t.open.Find(id); at != nil {
		// catchUp drops the table if it has closed.
		t.catchUp(at)
	}
	return t.open.Find(id)
}

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

// flush makes a request's events precede its answer. After a success it waits for the snapshot that the request has
// caused, or for the table to close. A poll is not enough, because the channel is empty for a moment while a newer
// snapshot replaces an older one.
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
	t.sendChanges(at, before)
}

// sendChanges sends the news of a table, and moves on to a rematch or a second game. before is the last snapshot
// that was sent, or nil.
func (t *tables) sendChanges(at *client.Table, before *match.Snapshot) {
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
			t.out.notice(at.Seat(other).Player.Name + " has begun another match, so match " + string(at.ID) +
				" has no rematch for now")
		}
	}
	if at.IsSeated() && at.Next != "" {
		isNew := before != nil && before.Next == ""
		// The second game may have begun while the bot asked for the first.
		if before == nil {
			isNew = at.AwaitsSecondGame() && slices.Contains(t.config.Manager.PlayerMatches(at.Player), at.Next)
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

// rating returns the change of the bot's rating by the pair that has ended at a table. The result is nil without
// such a pair, or if the rating cannot be read.
func (t *tables) rating(at *client.Table) *wire.RatingChange {
	if !at.IsSeated() {
		return nil
	}
	ctx, cancel := context.WithTimeout(t.ctx, client.CallTimeout)
	defer cancel()
	pair, _, ok := t.client.RatedPair(ctx, t.config.History, at.State, at.Player)
	if !ok {
		return nil
	}
	return wire.NewRatingChange(pair)
}

// follow takes the seat at the next match of both players, and drops the table of the last one.
func (t *tables) follow(at *client.Table) {
	do := botproto.DoRematch
	if at.AwaitsSecondGame() { // without a request
		do = ""
	}
	if _, err := t.sit(at.Player, at.Next); err != nil {
		t.out.refuse(err, do)
		return
	}
	t.drop(at)
}

func (t *tables) drop(at *client.Table) {
	t.open.Drop(at)
	if at.IsOver() {
		t.closed = append(t.closed[max(0, len(t.closed)-maxClosed+1):], at.ID)
	}
}

// awaitsOpponents reports whether the bot waits for an opponent's move and has no move to make.
func (t *tables) awaitsOpponents() bool {
	return t.open.IsOpponentsTurn() && !slices.ContainsFunc(t.open, (*client.Table).IsMyTurn)
}
