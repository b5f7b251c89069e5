package tui

import (
	"cmp"
	"slices"
	"time"

	"notakto/match"
	"notakto/sshapp/wording"
)

// myMatch is one of the player's matches, but for the one that is shown.
type myMatch struct {
	id        match.ID
	about     string
	state     string
	urgency   urgency
	forfeitAt time.Time // when it is lost, if that is known
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

// myMatchOf is a match of one's own that has begun.
func myMatchOf(m match.Summary, me match.PlayerID) myMatch {
	other, turn := m.Opponent(me), m.ToMove().ID == me
	myMatches := myMatch{m.ID, wording.Variant(m.Variant) + " against " + other.Name, ", " + wording.Count(m.Plies, "move", "moves"), canWait, time.Time{}}
	switch {
	case turn && other.IsComputer():
		myMatches.state, myMatches.urgency, myMatches.forfeitAt = ", your turn", myMove, m.ForfeitAt
	case turn:
		myMatches.state, myMatches.urgency, myMatches.forfeitAt = ", your turn", keepsSomeone, m.ForfeitAt
	}
	return myMatches
}

// myMatches are the player's matches but for the one that is shown, and those that were among them before and are over.
func myMatches(msg running, before []myMatch, shown match.ID) []myMatch {
	all := make([]myMatch, 0, len(msg.ids))
	for _, id := range msg.ids {
		myMatches := myMatch{id: id, about: "A private table", state: ", without a guest yet", urgency: waitsForGuest}
		if i := slices.IndexFunc(msg.matches, func(m match.Summary) bool { return m.ID == id }); i >= 0 {
			myMatches = myMatchOf(msg.matches[i], msg.player)
		}
		all = append(all, myMatches)
	}
	all = append(all, overOf(msg, before)...)
	all = slices.DeleteFunc(all, func(o myMatch) bool { return o.id == shown })
	slices.SortStableFunc(all, func(a, b myMatch) int { return cmp.Compare(a.urgency, b.urgency) })
	return all
}

// maxOver is how many matches that are over are kept, until the player comes to the lobby: somebody may play elsewhere
// without an end.
const maxOver = 8

// overOf are the latest of the matches that are over, the newest first.
func overOf(msg running, before []myMatch) []myMatch {
	var newly, still []myMatch
	for _, was := range before {
		switch {
		case was.urgency == waitsForGuest || slices.Contains(msg.ids, was.id):
		case was.isOver():
			still = append(still, was)
		default:
			was.state, was.urgency = ", over", ended
			newly = append(newly, was)
		}
	}
	over := slices.Concat(newly, still)
	return over[:min(len(over), maxOver)]
}

func (o myMatch) isOn() bool   { return o.urgency != ended }
func (o myMatch) isOver() bool { return !o.isOn() }
