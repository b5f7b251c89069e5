package match

import (
	"cmp"
	"fmt"
	"time"

	"notakto/rules"
	"notakto/rules/opening"
)

// Pool says whose ratings a match counts for. Players of different pools never meet.
type Pool uint8

// The pools.
const (
	Casual     Pool = iota // not rated
	PeoplePool             // people rated against each other
	BotPool                // programs rated against each other

	// LastPool is the newest pool that this version knows.
	LastPool = BotPool
)

// IsRated reports whether matches of the pool are games of rated pairs.
func (p Pool) IsRated() bool { return p != Casual }

// SecondGameDelay separates the end of a pair's first game from the start of the second.
const SecondGameDelay = 5 * time.Second

// RatedTerms returns the terms of a pool's rated pairs, which all players of the pool share. For [Casual] it returns
// [DefaultTerms].
func RatedTerms(pool Pool) Terms {
	if !pool.IsRated() {
		return DefaultTerms()
	}
	v, _ := rules.Notakto(opening.Boards)
	return Terms{Variant: v, Clock: DefaultClock(v), Pool: pool}
}

// PairGame says which game of a rated pair a match is. The zero value is a match that is not rated.
//
// Two players play a rated pair: two games with the seats swapped, each from an opening of its own, drawn from one
// seed.
type PairGame struct {
	// Seed determines the openings of both games. It is secret until the pair is over: see [Result.OpeningSeed].
	Seed        string
	Start       rules.Position // the opening of this game
	First       ID             // the first game of the pair; empty in the first game
	FirstWinner rules.Side     // who won the first game, as a side of this one; only in the second game
}

// FirstGame returns the first game of the pair of a seed.
func FirstGame(seed string) PairGame { return PairGame{Seed: seed, Start: opening.Draw(seed)[0]} }

// SecondGame returns the second game of the pair whose first game is r: see [Result.AwaitsSecondGame].
func (r Result) SecondGame() PairGame {
	return PairGame{
		Seed: r.Pair.Seed, Start: opening.Draw(r.Pair.Seed)[1], First: r.ID, FirstWinner: r.Outcome.Winner.Other(),
	}
}

// start returns the position before the first move of a match on these terms. It returns [ErrBadEvent] if p and terms
// do not fit. It takes the recorded opening and does not draw it from the seed, because later versions may draw another
// opening from a seed, and may rate pairs on other terms.
func (p PairGame) start(terms Terms) (rules.Position, error) {
	switch {
	case !terms.Pool.IsRated() && p == PairGame{}:
		return terms.Variant.Start(), nil
	case !terms.Pool.IsRated(), terms.Pool > LastPool, p.Seed == "", p.Start.Variant() != terms.Variant,
		p.Start.Outcome().Over(), p.Start.Turn() != rules.First, (p.First == "") != (p.FirstWinner == rules.Nobody):
		return rules.Position{}, fmt.Errorf("%w: no game of a pair on these terms", ErrBadEvent)
	}
	return p.Start, nil
}

// Game returns which game of its pair the match is, 1 or 2; 0 if it is not rated.
func (r Result) Game() int {
	switch {
	case !r.Pool.IsRated():
		return 0
	case r.Pair.First == "":
		return 1
	default:
		return 2
	}
}

// PairID returns the ID of the first game of the pair; empty if the match is not rated.
func (r Result) PairID() ID {
	if !r.Pool.IsRated() {
		return ""
	}
	return cmp.Or(r.Pair.First, r.ID)
}

// IsPairOver reports whether the match was the last game of its pair. That is the second game, or the first one if its
// loser left: the loser forfeits the second game too. A void first game belongs to no pair, and an end by the operator
// makes the pair void.
func (r Result) IsPairOver() bool {
	return r.Pool.IsRated() && r.Outcome.Over() && !r.isPairVoid() &&
		(r.Game() == 2 || r.Outcome.Reason == rules.Abandoned)
}

// isPairVoid reports whether the match has ended so that its pair counts for no rating.
func (r Result) isPairVoid() bool { return r.Outcome.IsVoid() || r.Outcome.Reason == rules.Operator }

// AwaitsSecondGame reports whether the match is over and the second game of its pair follows. Once it has begun, Next
// names it.
func (r Result) AwaitsSecondGame() bool {
	return r.Game() == 1 && r.Outcome.Over() && !r.isPairVoid() && !r.IsPairOver()
}

// SecondGameAt returns when the second game of the pair begins. It returns zero if no second game follows, or if the
// second game has begun.
func (r Result) SecondGameAt() time.Time {
	if !r.AwaitsSecondGame() || r.Next != "" {
		return time.Time{}
	}
	return r.EndedAt.Add(SecondGameDelay)
}

// PairPoints returns how many games of the pair the player of a side has won: 0, 1 or 2. It is 0 unless the pair is
// over.
func (r Result) PairPoints(side rules.Side) int {
	points := 0
	switch {
	case !r.IsPairOver() || !side.Valid():
	case r.Game() == 1 && r.Outcome.Winner == side: // the other player has forfeited the second game too
		points = 2
	case r.Game() == 2:
		for _, winner := range [...]rules.Side{r.Pair.FirstWinner, r.Outcome.Winner} {
			if winner == side {
				points++
			}
		}
	}
	return points
}

// OpeningHash returns the commitment to the seed of the pair's openings; empty if the match is not rated.
func (r Result) OpeningHash() string { return r.openingHash }

// OpeningSeed returns the seed of the pair's openings once the pair is over or void, else "". A first game does not
// learn when the second one ends, and so never returns its seed unless it was the last game.
func (r Result) OpeningSeed() string {
	if r.IsPairOver() || r.isPairVoid() {
		return r.Pair.Seed
	}
	return ""
}
