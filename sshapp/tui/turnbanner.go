package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// After the player's own move the banner goes out, and nothing else is said of the other's turn until it has lasted a
// moment: a computer answers at once, and then it would only flicker.
const turnBannerDelay = 300 * time.Millisecond

// isTurnJustChanged reports whether a screen is a table at which the other's turn has only just begun.
func isTurnJustChanged(s screen) bool {
	t, ok := s.(*tableScreen)
	return ok && t.bannerShownAt != len(t.table.Moves) && !t.table.IsMyTurn() && !t.table.IsWatching()
}

// delayTurnBanner waits to say that it is the other's turn, once for each.
func delayTurnBanner(t *tableScreen) tea.Cmd {
	moves := len(t.table.Moves)
	if !isTurnJustChanged(t) || t.bannerTimerAt == moves {
		return nil
	}
	t.bannerTimerAt = moves
	return t.session.commands.in(turnBannerDelay, func() tea.Msg { return bannerDue{t, moves} })
}

// bannerDue says that the turn after so many moves has come to last a while, if it is not over.
type bannerDue struct {
	table *tableScreen
	moves int
}
