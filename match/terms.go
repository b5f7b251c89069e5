package match

import (
	"slices"

	"notakto/rules"
)

// Terms say what the players of a match play. The lobby pairs players by comparing Terms. Terms have no methods,
// because a type that embeds Terms would get the methods too.
type Terms struct {
	Variant rules.Variant `json:"variant"`
	Clock   Clock         `json:"clock,omitzero"`
	Pool    Pool          `json:"rated,omitzero"` // rated terms are those of [RatedTerms], also with a clock of days
}

// MaxAccepted limits the terms that a seek accepts.
const MaxAccepted = 16

// DefaultAccepted returns the terms of a player without preferences: Notakto on one to five boards, three boards
// first.
func DefaultAccepted() []Terms {
	var all []Terms
	for _, boards := range [...]int{3, 4, 2, 5, 1} {
		if v, err := rules.Notakto(boards); err == nil {
			all = append(all, Terms{Variant: v})
		}
	}
	return all
}

// PreferClock inserts the variant with its [DefaultClock] before each of the given terms that has no clock. If both
// players of a match accept the result, they play with the clock.
func PreferClock(given []Terms) []Terms {
	var all []Terms
	for _, terms := range given {
		if terms.Clock.IsNone() {
			all = append(all, Terms{Variant: terms.Variant, Clock: DefaultClock(terms.Variant)})
		}
		all = append(all, terms)
	}
	return all
}

// MergeAccepted returns given and then the terms that only others has, at most [MaxAccepted]. A seek that joins a
// waiting player accepts all of them, because that player may be gone by then.
func MergeAccepted(given, others []Terms) []Terms {
	all := slices.Clone(given)
	for _, terms := range others {
		if !slices.Contains(all, terms) {
			all = append(all, terms)
		}
	}
	return all[:min(len(all), MaxAccepted)]
}

// DefaultTerms returns casual terms of the default variant without a clock.
func DefaultTerms() Terms { return Terms{Variant: rules.DefaultVariant()} }

// ValidateTerms returns [rules.ErrBadVariant] if no player may ask for these terms.
func ValidateTerms(t Terms) error {
	if !t.Variant.IsValid() || t.Pool > LastPool {
		return rules.ErrBadVariant
	}
	rated := RatedTerms(t.Pool)
	if t.Clock.IsCorrespondence() {
		rated.Clock = t.Clock
	}
	if t.Pool.IsRated() && t != rated {
		return rules.ErrBadVariant
	}
	return nil
}

// Opening describes a match to be opened.
type Opening struct {
	Terms
	Players  [2]Player    // in the order of moving, with the zero Player for a free seat
	Nodes    [2]Node      // of the players, "" for the node that opens the match
	Origin   Origin       // PrivateOrigin if a code gives the free seat
	Moves    []rules.Move // already made by the sides in turn, without ending the match
	Pair     PairGame     // zero unless Terms are rated
	Claimant PlayerID     // the match counts against this player's limit from the start
	Invited  Player       // the opponent that a challenge names
}

// PlayersInOrder returns p on side and other on the opposite side. other may be the zero Player.
func PlayersInOrder(side rules.Side, p, other Player) [2]Player {
	if side == rules.First {
		return [2]Player{p, other}
	}
	return [2]Player{other, p}
}
