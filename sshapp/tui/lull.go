package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// After the player's own move the banner goes out, and nothing else is said of the other's turn until it has lasted a moment: a computer
// answers at once, and then it would only flicker.
const lull = 300 * time.Millisecond

// fleeting reports whether the other's turn has only just begun.
func (t *tableScreen) fleeting() bool {
	return t.told != len(t.sitting.Moves) && !t.sitting.mine() && !t.sitting.watching()
}

// fleeting reports whether a screen is a table at which the other's turn has only just begun.
func fleeting(s screen) bool {
	t, ok := s.(*tableScreen)
	return ok && t.fleeting()
}

// lull waits to say that it is the other's turn, once for each.
func (t *tableScreen) lull() tea.Cmd {
	moves := len(t.sitting.Moves)
	if !t.fleeting() || t.lulled == moves {
		return nil
	}
	t.lulled = moves
	return t.session.wishes.in(lull, func() tea.Msg { return lasting{t, moves} })
}

// lasting says that the turn after so many moves has come to last a while, if it is not over.
type lasting struct {
	table *tableScreen
	moves int
}
