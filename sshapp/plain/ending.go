package plain

import "notakto/rules"

// ending tells how the match ended.
func (at *sitting) ending() string {
	if at.Closed {
		return "That table was cleared."
	}
	return join(at.because(), at.headline())
}

// afterwards is what can be done at a table whose match is over.
func (at *sitting) afterwards() string {
	switch {
	case at.Closed:
		return ""
	case at.seated():
		return "Type rematch, review or leave."
	default:
		return "Type review to look back, or leave."
	}
}

// headline is who won.
func (at *sitting) headline() string {
	switch winner := at.Outcome.Winner; {
	case at.Outcome.Reason == rules.Draw:
		return "A draw."
	case at.Outcome.IsVoid():
		return "The match does not count."
	case winner == at.side:
		return "You won."
	case at.side != rules.Nobody:
		return "You lost."
	default:
		return at.subject(winner) + " won."
	}
}

// because is how the match ended.
func (at *sitting) because() string {
	winner := at.Outcome.Winner
	if at.Outcome.IsVoid() {
		return at.subject(at.Position.Turn()) + " never moved."
	}
	won, lost := at.subject(winner), at.subject(winner.Other())
	switch at.Outcome.Reason {
	case rules.Boards:
		if at.Variant.Boards() == 1 {
			return lost + " made three in a row."
		}
		return lost + " killed the last board."
	case rules.Line:
		return won + " made three in a row."
	case rules.Draw:
		return "No cell is left."
	case rules.Resign:
		return lost + " resigned."
	case rules.Time:
		return lost + " ran out of time."
	case rules.Abandoned:
		return lost + " stayed away too long."
	default:
		return ""
	}
}
