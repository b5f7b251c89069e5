package manager

import (
	"context"
	"errors"
	"time"

	"notakto/match"
	"notakto/rules"
)

// offerRematch records once that a side wants a rematch. The new match counts from now on: the opponents of a player
// with many offers might all accept at once.
func (t *table) offerRematch(side rules.Side) error {
	if t.refresh(); t.state.RematchOffered(side) {
		return nil
	}
	p, next := t.state.SeatState(side).Player.ID, nextID(t.id)
	if t.state.Outcome.Over() {
		if t.state.Pool.IsRated() && !t.state.AwaitsSecondGame() && t.tables.index.playsRated(p) {
			return match.ErrRated
		}
		if err := t.tables.claim(p, next); err != nil {
			return err
		}
	}
	err := t.record(match.Event{Kind: match.Offered, Seat: side})
	if err != nil {
		t.tables.index.release(p, next)
	}
	return err
}

// releaseRematch releases the claim for a rematch, unless the rematch was opened.
func (t *table) releaseRematch() {
	for _, side := range rules.Sides() {
		t.tables.index.release(t.state.SeatState(side).Player.ID, nextID(t.id))
	}
}

// rematch opens the rematch of s, or the second game of its pair, with the seats swapped, unless it is open already.
// However often and on whatever node it is called, there is one rematch.
func (o opener) rematch(ctx context.Context, s match.State) (match.ID, error) {
	id := nextID(s.ID)
	p, err := o.plan(id, match.Opening{
		Terms:   s.Terms,
		Origin:  s.Origin,
		Pair:    o.nextGame(s),
		Players: [2]match.Player{s.Recorded(rules.Second), s.Recorded(rules.First)},
		Nodes:   [2]match.Node{s.SeatState(rules.Second).Node, s.SeatState(rules.First).Node},
	}, "")
	if err != nil {
		return "", err
	}
	p.shared = true
	ctx, cancel := context.WithTimeout(ctx, o.cfg.JournalTimeout)
	defer cancel()
	return id, o.openTable(ctx, id, p)
}

// resign resigns for a side; a table with a free seat is closed instead.
func (t *table) resign(side rules.Side) error {
	if err := t.record(match.Event{Kind: match.Resigned, Seat: side}); !errors.Is(err, match.ErrNotStarted) {
		return err
	}
	return t.record(match.Event{Kind: match.Cancelled})
}

// complete fills in a due event: the computer's move, or the ID of the rematch, which it opens. The move depends only
// on the seed, the match and its moves, so every node computes the same.
func (o opener) complete(e match.Event, s *match.State) (_ match.Event, err error) {
	switch e.Kind {
	case match.Moved:
		last, plies := rules.Move{}, len(s.Moves)
		if plies > 0 {
			last = s.Moves[plies-1]
		}
		e.Move = s.SeatState(e.Seat).Player.Level.ChooseAfter(last, s.Position, o.rng.at(s.ID, plies))
	case match.Rematched:
		e.Next, err = o.rematch(o.ctx, *s)
	}
	return e, err
}

// The rules of rated pairs beyond what [match.State] says are in this file:
//
//   - A player with a key who seeks rated terms plays a pair, and one pair at a time. Until it is over perfect play
//     says nothing to that player: no analysis, no review, no deadly cells.
//   - The second game opens as a rematch does, [match.SecondGameDelay] after the first has ended, whether the players
//     are connected or not. Until then the first game has a table, counts as a match of both players, and is not
//     archived.
//   - A table of the first game that is late with that, because its node has failed or drained, is replaced by another.

// PlaysRated reports whether p is in a rated pair that is not over, and may not be told what perfect play says.
func PlaysRated(m *Manager, p match.PlayerID) bool { return m.tables.index.playsRated(p) }

// checkRated returns why a player may not seek an opponent for the given terms: [match.ErrGuestRated],
// [match.ErrRated].
func (r *index) checkRated(p match.Player, accepts []match.Terms) error {
	for _, terms := range accepts {
		switch {
		case !terms.Pool.IsRated():
		case p.Guest:
			return match.ErrGuestRated
		case r.playsRated(p.ID):
			return match.ErrRated
		}
	}
	return nil
}

// playsRated reports whether a player is in a rated pair that is not over.
func (r *index) playsRated(p match.PlayerID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range r.seats.byPlayer[p] {
		if e := r.matches[id]; e.state != nil && e.broken == nil && e.state.Pool.IsRated() &&
			e.state.Side(p) != rules.Nobody {
			return true
		}
	}
	return false
}

// isBetweenGames reports whether the second game of the pair of s has to be opened.
func isBetweenGames(s *match.State) bool { return !s.SecondGameAt().IsZero() }

func (e entry) isBetweenGames() bool {
	return e.state != nil && e.broken == nil && isBetweenGames(e.state)
}

// isLate reports whether the table that had to open the second game of the pair of s has not done so.
func isLate(s *match.State, now time.Time) bool {
	return isBetweenGames(s) && now.After(s.SecondGameAt().Add(joinTimeout))
}

// secondGameEvent opens the second game of a pair. A server that drains leaves that to another, or to the next start.
func (a agenda) secondGameEvent() scheduledEvent {
	if !isBetweenGames(a.State) || a.tables.isDraining() {
		return scheduledEvent{}
	}
	return scheduledEvent{at: a.SecondGameAt(), event: match.Event{Kind: match.Rematched}}
}

// isBusy reports whether a rematch of a rated pair has to wait, because one of the players is in another pair.
func (a agenda) isBusy() bool {
	if !a.Pool.IsRated() {
		return false
	}
	for _, seatState := range a.SeatStates() {
		if a.tables.index.playsRated(seatState.Player.ID) {
			return true
		}
	}
	return false
}

// nextGame returns which game of a pair follows s: its second game, or the first of another pair.
func (o opener) nextGame(s match.State) match.PairGame {
	switch {
	case !s.Pool.IsRated():
		return match.PairGame{}
	case s.AwaitsSecondGame():
		return s.SecondGame()
	default:
		return match.FirstGame(o.rng.seed())
	}
}
