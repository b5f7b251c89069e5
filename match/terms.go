package match

import (
	"slices"

	"notakto/rules"
)

// Terms say what the players of a match play. Terms are comparable: the lobby pairs players who accept equal terms.
// Terms have no methods, because a type that embeds Terms would get them.
type Terms struct {
	Variant rules.Variant `json:"variant"`
	Clock   Clock         `json:"clock,omitzero"`
	Pool    Pool          `json:"rated,omitzero"` // rated terms are those of [RatedTerms]
}

// MaxAccepted limits the terms that one seek accepts.
const MaxAccepted = 16

// DefaultAccepted returns the terms of a player who has no wishes, the preferred ones first: Notakto on one to five
// boards, three boards first.
func DefaultAccepted() []Terms {
	var all []Terms
	for _, boards := range [...]int{3, 4, 2, 5, 1} {
		if v, err := rules.Notakto(boards); err == nil {
			all = append(all, Terms{Variant: v})
		}
	}
	return all
}

// PreferClock inserts, before each of the given terms that has no clock, the same variant with [DefaultClock]. Two
// players who both accept the result play with the clock.
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

// AcceptedBesides returns given followed by those of others that given lacks, at most [MaxAccepted]. A player who
// wants to join a waiting player accepts these: the waiting player may be gone by then.
func AcceptedBesides(given, others []Terms) []Terms {
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

// CheckTerms returns [rules.ErrBadVariant] if no player may ask for these terms.
func CheckTerms(t Terms) error {
	if !t.Variant.Valid() || t.Pool > LastPool || t.Pool.IsRated() && t != RatedTerms(t.Pool) {
		return rules.ErrBadVariant
	}
	return nil
}

// Opening describes a match to be opened.
type Opening struct {
	Terms
	Players  [2]Player    // in the order of moving; the zero Player leaves a seat free
	Nodes    [2]Node      // of the players; empty for the node that opens the match
	Origin   Origin       // PrivateOrigin for a table whose free seat is taken by code
	Moves    []rules.Move // already made, by the sides in turn; the match may not be over after them
	Pair     PairGame     // of a match on rated terms
	Claimant PlayerID     // the player whose limit the match counts against from the start
}

// OnSide returns p on a side, and another player or the zero Player on the other.
func OnSide(side rules.Side, p, other Player) [2]Player {
	if side == rules.First {
		return [2]Player{p, other}
	}
	return [2]Player{other, p}
}
