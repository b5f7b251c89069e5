package client

import (
	"context"
	"slices"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
)

// results adds up the player's matches that ended in a session. The session's lock guards it.
type results struct {
	tally   Tally
	unrated []match.ID     // last games of pairs that have ended and are not in tally yet: at most maxUnrated
	beaten  strategy.Level // highest rung that the player has beaten; zero for none
}

// Tally counts the games that ended in a session.
type Tally struct {
	Won, Lost, Drawn int
	Rated            history.RatedPair // change from before the first pair to after the last one; zero without a pair
	Standing         history.Standing  // after the last pair
}

const maxUnrated = 4

// Recall reads from h which rungs a player has beaten in earlier sessions. It does nothing if h is nil, or for a guest.
func (s *Session) Recall(ctx context.Context, h *store.History, p match.Player) error {
	if h == nil || p.Guest {
		return nil
	}
	beaten, err := h.BeatenComputers(ctx, p.ID)
	for _, level := range strategy.Ladder() {
		if slices.Contains(beaten, match.Computer(level).ID) {
			s.countWin(level)
		}
	}
	return err
}

// NextRung returns the computer player to offer: the lowest rung of [strategy.Ladder] that the player has not beaten,
// as far as the session knows, or the highest if the player has beaten all. A win counts for the rungs below too. If
// the level chosen last is a higher rung, NextRung returns that.
func (s *Session) NextRung(last strategy.Level) strategy.Level {
	s.mu.Lock()
	defer s.mu.Unlock()
	ladder := strategy.Ladder()
	next := slices.Index(ladder, s.beaten) + 1
	return ladder[min(max(next, slices.Index(ladder, last)), len(ladder)-1)]
}

// Beaten returns the number of rungs of [strategy.Ladder] up to the highest one that the player is known to have
// beaten.
func (s *Session) Beaten() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Index(strategy.Ladder(), s.beaten) + 1
}

// Tally returns the sum of the games that have ended in this session.
func (s *Session) Tally() Tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tally
}

// RatedPair returns how the rated pair that ended with m changed the player's rating, and the player's standing
// after it. ok is false if m ended no pair, if the player only watched, if h is nil, or if the history cannot be
// read.
func (s *Session) RatedPair(ctx context.Context, h *store.History, m *match.State, p match.PlayerID) (
	pair history.RatedPair, standing history.Standing, ok bool,
) {
	side := m.Side(p)
	if h == nil || side == rules.Nobody || !m.IsPairOver() {
		return pair, standing, false
	}
	pair, standing, err := h.RatedPair(ctx, m, side)
	if err != nil {
		return pair, standing, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.unrated, m.ID) {
		s.unrated = slices.DeleteFunc(s.unrated, func(id match.ID) bool { return id == m.ID })
		total := pair
		if s.tally.Rated.Match != "" {
			total.Before = s.tally.Rated.Before
		}
		s.tally.Rated, s.tally.Standing = total, standing
	}
	return pair, standing, true
}

// countResult counts a match that has just ended in the tally and, if the player beat the computer, on the ladder.
// It leaves out a match that was played on from a review, because its position may have been won already.
func (s *Session) countResult(t *Table) {
	if !t.IsSeated() || t.Outcome.IsVoid() || !t.Outcome.Over() || t.Origin == match.ReviewOrigin {
		return
	}
	s.mu.Lock()
	switch t.Outcome.Winner {
	case t.Side:
		s.tally.Won++
	case t.Side.Other():
		s.tally.Lost++
	default:
		s.tally.Drawn++
	}
	if t.IsPairOver() {
		s.unrated = append(s.unrated[max(0, len(s.unrated)-maxUnrated+1):], t.ID)
	}
	s.mu.Unlock()
	opponent := t.SeatState(t.Opponent()).Player
	if t.Outcome.Winner != t.Side || !opponent.IsComputer() {
		return
	}
	s.countWin(opponent.Level)
}

// countWin records a win against a level of the computer. It ignores a level that is no rung.
func (s *Session) countWin(level strategy.Level) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ladder := strategy.Ladder()
	if slices.Index(ladder, level) > slices.Index(ladder, s.beaten) {
		s.beaten = level
	}
}
