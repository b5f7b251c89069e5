package tui

import (
	"cmp"
	"slices"
	"time"

	"notakto/match"
	"notakto/sshapp/wording"
)

// ownMatch is one of the player's matches, but for the one that is shown.
type ownMatch struct {
	id      match.ID
	about   string
	state   string
	urgency urgency
	lostAt  time.Time // when it is lost, if that is known
}

// urgency is what a player who is away from a match has to know of it.
type urgency uint8

// The most urgent comes first.
const (
	keepsSomeone urgency = iota // it is the player's turn, and a person waits
	myMove                      // it is the player's turn
	ended                       // while the player was elsewhere
	canWait
	waitsForGuest // a private table
)

// ownOf is a match of one's own that has begun.
func ownOf(m match.Summary, me match.PlayerID) ownMatch {
	other, turn := m.Opponent(me), m.Mover().ID == me
	own := ownMatch{m.ID, wording.Variant(m.Variant) + " against " + other.Name, ", " + wording.Count(m.Plies, "move", "moves"), canWait, time.Time{}}
	switch {
	case turn && other.IsComputer():
		own.state, own.urgency, own.lostAt = ", your turn", myMove, m.LostAt
	case turn:
		own.state, own.urgency, own.lostAt = ", your turn", keepsSomeone, m.LostAt
	}
	return own
}

// ownMatches are the player's matches but for the one that is shown, and those that were among them before and are over.
func ownMatches(msg running, before []ownMatch, shown match.ID) []ownMatch {
	all := make([]ownMatch, 0, len(msg.ids))
	for _, id := range msg.ids {
		own := ownMatch{id: id, about: "A private table", state: ", without a guest yet", urgency: waitsForGuest}
		if i := slices.IndexFunc(msg.matches, func(m match.Summary) bool { return m.ID == id }); i >= 0 {
			own = ownOf(msg.matches[i], msg.player)
		}
		all = append(all, own)
	}
	all = append(all, overOf(msg, before)...)
	all = slices.DeleteFunc(all, func(o ownMatch) bool { return o.id == shown })
	slices.SortStableFunc(all, func(a, b ownMatch) int { return cmp.Compare(a.urgency, b.urgency) })
	return all
}

// maxOver is how many matches that are over are kept, until the player comes to the lobby: somebody may play elsewhere without an end.
const maxOver = 8

// overOf are the latest of the matches that are over, the newest first.
func overOf(msg running, before []ownMatch) []ownMatch {
	var newly, still []ownMatch
	for _, was := range before {
		switch {
		case was.urgency == waitsForGuest || slices.Contains(msg.ids, was.id):
		case was.over():
			still = append(still, was)
		default:
			was.state, was.urgency = ", over", ended
			newly = append(newly, was)
		}
	}
	over := slices.Concat(newly, still)
	return over[:min(len(over), maxOver)]
}

func (o ownMatch) on() bool   { return o.urgency != ended }
func (o ownMatch) over() bool { return !o.on() }
