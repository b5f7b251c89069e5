package tui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
)

// mineShown is how many of one's own matches the lobby has room for.
const mineShown = 3

// ownMatch is one of the player's matches, as the lobby lists it.
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
	ended                       // since the lobby came up
	canWait
	waitsForGuest // a private table
)

// ownOf is a match of one's own that has begun.
func ownOf(m match.Summary, me match.PlayerID) ownMatch {
	mine, other := m.Players[0], m.Players[1]
	turn := m.Plies%2 == 0
	if mine.ID != me {
		other, turn = mine, !turn
	}
	own := ownMatch{m.ID, boardsText(m.Variant) + " against " + other.Name, ", " + count(m.Plies, "move", "moves"), canWait, m.LostAt}
	switch {
	case turn && other.IsComputer():
		own.state, own.urgency = ", your turn", myMove
	case turn:
		own.state, own.urgency = ", your turn", keepsSomeone
	}
	return own
}

// own takes in which matches the player has on. The most urgent one is chosen, unless the player has chosen already; then the choice stays.
func (l *lobbyScreen) own(msg running) {
	var chosen match.ID
	if l.touched && l.at < len(l.mine) {
		chosen = l.mine[l.at].id
	}
	before := len(l.mine)
	l.mine = l.list(msg)
	switch at := slices.IndexFunc(l.mine, func(o ownMatch) bool { return o.id == chosen }); {
	case !l.touched:
		l.at = 0
	case at >= 0:
		l.at = at
	default:
		l.at = max(0, l.at+len(l.mine)-before)
	}
}

// list is the player's matches, and those that were listed before and are over: Enter shows how they ended.
func (l *lobbyScreen) list(msg running) []ownMatch {
	all := make([]ownMatch, 0, len(msg.ids))
	for _, id := range msg.ids {
		own := ownMatch{id: id, about: "A private table", state: ", without a guest yet", urgency: waitsForGuest}
		if i := slices.IndexFunc(msg.matches, func(m match.Summary) bool { return m.ID == id }); i >= 0 {
			own = ownOf(msg.matches[i], l.session.player.ID)
		}
		all = append(all, own)
	}
	for _, was := range l.mine {
		if was.urgency != waitsForGuest && !slices.Contains(msg.ids, was.id) {
			was.state, was.urgency = ", over", ended
			all = append(all, was)
		}
	}
	slices.SortStableFunc(all, func(a, b ownMatch) int { return cmp.Compare(a.urgency, b.urgency) })
	return all
}

// warning is what the player must know who is here, and not where it is the player's turn.
func (l *lobbyScreen) warning() string {
	if len(l.mine) == 0 || l.mine[0].urgency > myMove {
		return ""
	}
	left := l.session.grace
	if at := l.mine[0].lostAt; !at.IsZero() {
		left = at.Sub(l.session.wishes.now())
	}
	return l.session.either(fmt.Sprintf("It is your turn: go back to the table within %d s, or you lose the match.", seconds(left)),
		fmt.Sprintf("Your turn: be back within %d s.", seconds(left)))
}

// lookAgain has the matches looked at again in a second, while there are any: whose turn it is matters most to who is away from them.
func (l *lobbyScreen) lookAgain() tea.Cmd {
	if l.ticking || !slices.ContainsFunc(l.mine, func(o ownMatch) bool { return o.urgency != ended }) {
		return nil
	}
	l.ticking = true
	return l.session.wishes.tick(l)
}

// drawMine offers the way back to the matches that are on.
func (l *lobbyScreen) drawMine(s *sheet, x, y, width int) int {
	if len(l.mine) == 0 {
		return y
	}
	heading := "You have a match on: Enter returns"
	if !slices.ContainsFunc(l.mine, func(own ownMatch) bool { return own.urgency != ended }) {
		heading = "Over meanwhile: Enter shows it"
	}
	s.text(x-2, y, notice, heading)
	for i, own := range l.mine {
		if i == mineShown {
			s.text(x, y+1, faint, "and "+count(len(l.mine)-mineShown, "other", "others"))
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
