package plain

import (
	"strings"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// nameOf is a player's name as it is printed for others.
func nameOf(p match.Player) string {
	if p.IsComputer() {
		return "the computer"
	}
	return p.Name
}

// who is a side in the middle of a sentence.
func (at table) who(side rules.Side) string {
	if side == at.Side && side != rules.Nobody {
		return "you"
	}
	return nameOf(at.SeatState(side).Player)
}

// subject is a side at the beginning of a sentence. Names stay as they are written.
func (at table) subject(side rules.Side) string {
	if who := at.who(side); who == "you" || at.SeatState(side).Player.IsComputer() {
		return wording.Capital(who)
	}
	return at.who(side)
}

// turnText is whose turn it is; empty if the match has not begun or is over.
func (at table) turnText() string {
	switch turn := at.Turn(); {
	case turn == rules.Nobody:
		return ""
	case at.IsMyTurn():
		return "Your turn."
	default:
		return at.subject(turn) + "'s turn."
	}
}

// orderText is who moves first.
func (at table) orderText() string {
	switch at.Side {
	case rules.First:
		return "You move first" + markText(at.Variant, at.Side) + "."
	case rules.Second:
		return "You move second" + markText(at.Variant, at.Side) + "."
	default:
		return at.subject(rules.First) + " moves first."
	}
}

// markText is the mark of a side where there are two, as the end of a sentence.
func markText(v rules.Variant, side rules.Side) string {
	switch {
	case !v.IsTicTacToe():
		return ""
	case side == rules.First:
		return " with O"
	default:
		return " with X"
	}
}

// spellOut is a code letter by letter.
func spellOut(code match.Code) string { return strings.Join(strings.Split(string(code), ""), " ") }

// resumeHint says how a guest comes back to the seat; empty for others.
func (at table) resumeHint() string {
	code := at.SeatState(at.Side).Code
	if code == "" || at.Over() {
		return ""
	}
	return "Your way back: " + spellOut(code) + ", that is join " + string(code) + "."
}

// listText joins words as in speech, with commas.
func listText(words []string) string { return strings.Join(words, ", ") }

// table is a match that the session plays or watches; the zero value is none. Its methods put it into words.
type table struct{ *client.Table }

// isNone reports whether it is no table.
func (at table) isNone() bool { return at.Table == nil }
