package tui

import (
	"slices"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// myMatchesShown is how many of one's own matches the lobby has room for.
const myMatchesShown = 3

// setMyMatches takes in which matches the player has on. The most urgent one is chosen, unless the player has chosen
// already; then the choice stays.
func (l *lobbyScreen) setMyMatches(mine []myMatch) {
	var chosen match.ID
	if l.touched && l.at < len(l.myMatches) {
		chosen = l.myMatches[l.at].id
	}
	before := len(l.myMatches)
	l.myMatches = slices.Clone(mine)
	switch at := slices.IndexFunc(l.myMatches, func(o myMatch) bool { return o.id == chosen }); {
	case !l.touched:
		l.at = 0
	case at >= 0:
		l.at = at
	default:
		l.at = max(0, l.at+len(l.myMatches)-before)
	}
}

// drawMyMatches offers the resume code to the matches that are on.
func (l *lobbyScreen) drawMyMatches(s *draw.Canvas, x, y, width int) int {
	if len(l.myMatches) == 0 {
		return y
	}
	heading := "You have a match on: Enter returns"
	if !slices.ContainsFunc(l.myMatches, myMatch.isOn) {
		heading = "Finished meanwhile: Enter shows it"
	}
	s.Text(x-2, y, draw.Notice, heading)
	for i, myMatches := range l.myMatches {
		if i == myMatchesShown {
			s.Text(x, y+1, draw.Faint, "and "+wording.Count(len(l.myMatches)-myMatchesShown, "other", "others"))
			return y + 3
		}
		y++
		k := draw.Plain
		if l.at == i {
			k = draw.Chosen
			s.Point(x-2, y)
		}
		s.Text(x, y, k, s.Fit(myMatches.about+myMatches.state, width-2))
	}
	return y + 2
}
