package tui

import (
	"slices"

	"notakto/match"
	"notakto/sshapp/wording"
)

// mineShown is how many of one's own matches the lobby has room for.
const mineShown = 3

// own takes in which matches the player has on. The most urgent one is chosen, unless the player has chosen already; then the choice stays.
func (l *lobbyScreen) own(mine []ownMatch) {
	var chosen match.ID
	if l.touched && l.at < len(l.mine) {
		chosen = l.mine[l.at].id
	}
	before := len(l.mine)
	l.mine = slices.Clone(mine)
	switch at := slices.IndexFunc(l.mine, func(o ownMatch) bool { return o.id == chosen }); {
	case !l.touched:
		l.at = 0
	case at >= 0:
		l.at = at
	default:
		l.at = max(0, l.at+len(l.mine)-before)
	}
}

// drawMine offers the way back to the matches that are on.
func (l *lobbyScreen) drawMine(s *sheet, x, y, width int) int {
	if len(l.mine) == 0 {
		return y
	}
	heading := "You have a match on: Enter returns"
	if !slices.ContainsFunc(l.mine, ownMatch.on) {
		heading = "Over meanwhile: Enter shows it"
	}
	s.text(x-2, y, notice, heading)
	for i, own := range l.mine {
		if i == mineShown {
			s.text(x, y+1, faint, "and "+wording.Count(len(l.mine)-mineShown, "other", "others"))
			return y + 3
		}
		y++
		k := plain
		if l.at == i {
			k = chosen
			s.text(x-2, y, cursor, s.theme.glyphs.pointer)
		}
		s.text(x, y, k, s.fit(own.about+own.state, width-2))
	}
	return y + 2
}
