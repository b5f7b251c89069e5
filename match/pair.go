package match

import (
	"cmp"
	"fmt"
	"time"

	"notakto/rules"
	"notakto/rules/opening"
)

// Pool is the ladder that a match counts for. Players of different pools never meet.
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

// RatedTerms returns the only terms of a pool's rated pairs. For [Casual] it returns [DefaultTerms].
func RatedTerms(pool Pool) Terms {
	if !pool.IsRated() {
		return DefaultTerms()
	}
	v, _ := rules.Notakto(opening.BoardCount)
	return Terms{Variant: v, Clock: DefaultClock(v), Pool: pool}
}

// PairGame says which game of a rated pair a match is. The zero value is a match that is not rated.
//
// In a rated pair two players play two games and swap the seats. A seed determines the opening of each game.
type PairGame struct {
	// Seed is secret until the pair is over. Readers of a match get [Result.OpeningSeed].
	Seed   string
	Start  rules.Position // the opening of this game
	First  ID             // the ID of the first game, only in the second
	Second ID             // the ID of the second game, only in the first of two games played at once
	// SameNetwork says that the players were in one network when the pair began. Opened records it, or Seated in a
	// challenge.
	SameNetwork bool

	// OtherWinner is the winner of the pair's game that ended first, as a side of this game. OtherVoid says that the
	// pair's other game ended first and made the pair void.
	OtherWinner rules.Side
	OtherVoid   bool
	// OtherMoved says that the player out of time had moved in the pair's other game. Only games played at once have
	// OtherMoved.
	OtherMoved bool
	// MissedBefore says that the player out of time missed the first move of a first game, and had missed one in
	// another pair within the day before. The player then loses the pair.
	MissedBefore bool
}

// FirstGame returns the first game of the pair of a seed.
func FirstGame(seed string) PairGame { return PairGame{Seed: seed, Start: opening.Draw(seed)[0]} }

// SecondGame returns the second game of the pair that begins with r. Call SecondGame only if
// [Result.AwaitsSecondGame] or [State.LacksSecondGame].
func (r Result) SecondGame() PairGame {
	return PairGame{
		Seed: r.Pair.Seed, Start: opening.Draw(r.Pair.Seed)[1], First: r.ID, OtherWinner: r.Outcome.Winner.Other(),
		SameNetwork: r.Pair.SameNetwork,
	}
}

// startPosition returns the position before the first move of a match on terms, or [ErrBadEvent] if p does not fit
// terms. The position is the recorded opening and is not drawn from the seed again, because later versions may draw
// another opening from a seed, or rate pairs on other terms.
func (p PairGame) startPosition(terms Terms) (rules.Position, error) {
	switch {
	case !terms.Pool.IsRated() && p == PairGame{}:
		return terms.Variant.Start(), nil
	case !terms.Pool.IsRated(), terms.Pool > LastPool, p.Seed == "", p.Start.Variant() != terms.Variant,
		p.Start.Outcome().IsOver(), p.Start.Turn() != rules.First, p.First == "" && p.OtherWinner != rules.NoSide,
		p.First != "" && p.OtherWinner == rules.NoSide && !terms.Clock.IsCorrespondence():
		return rules.Position{}, fmt.Errorf("%w: no game of a pair on these terms", ErrBadEvent)
	}
	return p.Start, nil
}

// Game returns which game of its pair the match is, 1 or 2, or 0 if it is not rated.
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

// PairID returns the ID of the first game of the pair, or "" if the match is not rated.
func (r Result) PairID() ID {
	if !r.Pool.IsRated() {
		return ""
	}
	return cmp.Or(r.Pair.First, r.ID)
}

// IsSimultaneous reports whether both games of the match's pair are played at once, as with every clock of days. Either
// game may end first. The [Journal] then adds its result to the end of the pair's other game (see
// [State.WithOtherGame]).
func (r Result) IsSimultaneous() bool { return r.Pool.IsRated() && r.Clock.IsCorrespondence() }

// OtherGame returns the ID of the pair's other game if both are played at once, else "". Before the second game is
// opened, the first game returns "" too.
func (r Result) OtherGame() ID {
	if !r.IsSimultaneous() {
		return ""
	}
	return cmp.Or(r.Pair.First, r.Pair.Second)
}

// LacksSecondGame reports whether the pair plays both games at once, and its second game has not been opened yet.
func (s State) LacksSecondGame() bool {
	return s.IsSimultaneous() && s.HasStarted() && !s.IsOver() && s.OtherGame() == ""
}

// WithOtherGame returns e for a [Journal] to record after s. If e ends one of two games played at once, and the pair's
// other game is over, WithOtherGame puts that game's result into e.Pair. An end by time also gets OtherMoved. other
// returns the state of a match, the zero State if unknown.
func (s State) WithOtherGame(e Event, other func(ID) State) Event {
	if !s.IsSimultaneous() || s.Outcome.IsOver() {
		return e
	}
	e.Pair = PairGame{SameNetwork: e.Pair.SameNetwork}
	if after, err := s.Apply(e); err != nil || !after.Outcome.IsOver() {
		return e
	}
	o := other(s.OtherGame())
	e.Pair.OtherMoved = e.Kind == Overdue && o.HasMoved(e.Seat.Other())
	if o.isPairVoid() {
		e.Pair = PairGame{OtherVoid: true}
	} else {
		e.Pair.OtherWinner = o.Outcome.Winner.Other() // NoSide while o goes on
	}
	return e
}

// IsPairOver reports whether the match was the last game of its pair and the pair counts for the ratings. The second
// game is the last one. The first game is the last one if its loser left, because the loser then forfeits the second
// game too. Of two games played at once, the game that ends later is the last one. A void first game belongs to no
// pair. An end by the operator makes the pair void, and so does each void game of two played at once.
func (r Result) IsPairOver() bool {
	isLast := r.Game() == 2 || r.Outcome.Reason == rules.ReasonAbandoned
	if r.IsSimultaneous() {
		isLast = r.Pair.OtherWinner != rules.NoSide
	}
	return r.Pool.IsRated() && r.Outcome.IsOver() && !r.isPairVoid() && isLast
}

func (r Result) isPairVoid() bool {
	return r.Outcome.IsVoid() || r.Outcome.Reason == rules.ReasonOperator || r.Pair.OtherVoid
}

// AwaitsSecondGame reports whether the match is over and the second game of its pair follows. Next names the second
// game once it has begun.
func (r Result) AwaitsSecondGame() bool {
	return r.Game() == 1 && !r.IsSimultaneous() && r.Outcome.IsOver() && !r.isPairVoid() && !r.IsPairOver()
}

// EndedFirst reports whether the match is one of two games played at once, and ended before the pair's other game. The
// log of the match does not tell the end of that game.
func (r Result) EndedFirst() bool {
	return r.IsSimultaneous() && r.Outcome.IsOver() && !r.isPairVoid() && !r.IsPairOver()
}

// SecondGameAt returns when the second game of the pair begins, or the zero time if no second game follows or it has
// begun already.
func (r Result) SecondGameAt() time.Time {
	if !r.AwaitsSecondGame() || r.Next != "" {
		return time.Time{}
	}
	return r.EndedAt.Add(SecondGameDelay)
}

// PairPoints returns how many games of the pair the player of a side has won: 0, 1 or 2. The result is 0 until the
// pair is over.
func (r Result) PairPoints(side rules.Side) int {
	points := 0
	switch {
	case !r.IsPairOver() || !side.IsValid():
	case r.Pair.OtherWinner == rules.NoSide: // the loser has forfeited the second game too
		if r.Outcome.Winner == side {
			points = 2
		}
	default:
		for _, winner := range [...]rules.Side{r.Pair.OtherWinner, r.Outcome.Winner} {
			if winner == side {
				points++
			}
		}
	}
	return points
}

// OpeningHash returns the commitment to the seed of the pair's openings, or "" if the match is not rated.
func (r Result) OpeningHash() string { return r.openingHash }

// OpeningSeed returns the seed of the pair's openings once the match knows that the pair is over or void, else "". Of
// two games played at once only the last one knows it.
func (r Result) OpeningSeed() string {
	if r.IsPairOver() || r.isPairVoid() {
		return r.Pair.Seed
	}
	return ""
}
