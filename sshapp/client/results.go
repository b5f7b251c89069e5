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

// results holds the ended games and beaten levels of a session. Session.mu guards results.
type results struct {
	score    Score
	unscored []match.ID     // last games of rated pairs that Score.Rated lacks, at most maxUnscored
	beaten   strategy.Level // highest rung that the player has beaten, zero without one
}

// Score counts the games that ended in a session.
type Score struct {
	Won, Lost, Drawn int
	// Rated holds the last rated pair, zero without one. Rated.Before is the rating before the session's first rated
	// pair.
	Rated    history.RatedPair
	Standing history.Standing // after the last rated pair
}

const maxUnscored = 4

// LoadBeatenLevels reads the rungs that a player has beaten in earlier sessions from h. A guest and a nil h have no
// rungs.
func (s *Session) LoadBeatenLevels(ctx context.Context, h *store.History, p match.Player) error {
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

// NextRung returns the computer player to offer. The result is the rung of [strategy.Ladder] above the highest one that
// the player is known to have beaten, or the top rung. If the player chose a higher rung last, NextRung returns that
// rung.
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

// Score returns the sum of the games that have ended in this session.
func (s *Session) Score() Score {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.score
}

// RatedPair returns the change of p's rating by the rated pair that ended with m, and p's new standing. The result is
// not ok for a match that ended no pair, a spectator, a nil h, or an unreadable history.
func (s *Session) RatedPair(ctx context.Context, h *store.History, m *match.State, p match.PlayerID) (
	pair history.RatedPair, standing history.Standing, ok bool,
) {
	side := m.Side(p)
	if h == nil || side == rules.NoSide || !m.IsPairOver() {
		return pair, standing, false
	}
	pair, standing, err := h.RatedPair(ctx, m, side)
	if err != nil {
		return pair, standing, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.unscored, m.ID) {
		s.unscored = slices.DeleteFunc(s.unscored, func(id match.ID) bool { return id == m.ID })
		total := pair
		if s.score.Rated.Match != "" {
			total.Before = s.score.Rated.Before
		}
		s.score.Rated, s.score.Standing = total, standing
	}
	return pair, standing, true
}

// countResult counts the end of t in the score, and calls countWin if the player beat the computer without hints. A
// match that was played on from a review does not count, because its position may have been won already.
func (s *Session) countResult(t *Table) {
	if !t.IsSeated() || t.Outcome.IsVoid() || !t.Outcome.IsOver() || t.Origin == match.ReviewOrigin {
		return
	}
	s.mu.Lock()
	switch t.Outcome.Winner {
	case t.Side:
		s.score.Won++
	case t.Side.Other():
		s.score.Lost++
	default:
		s.score.Drawn++
	}
	if t.IsPairOver() {
		s.unscored = append(s.unscored[max(0, len(s.unscored)-maxUnscored+1):], t.ID)
	}
	s.mu.Unlock()
	opponent := t.Seat(t.Opponent()).Player
	if t.Outcome.Winner != t.Side || !opponent.IsComputer() || t.Hinted {
		return
	}
	s.countWin(opponent.Level)
}

// countWin raises beaten to level. A level that is no rung has no effect.
func (s *Session) countWin(level strategy.Level) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ladder := strategy.Ladder()
	if slices.Index(ladder, level) > slices.Index(ladder, s.beaten) {
		s.beaten = level
	}
}
