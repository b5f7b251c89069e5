package screen

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/idle"
	"notakto/sshapp/tui"
)

// idleMsg asks what to do about a player who has pressed no key for long. The SSH library's own idle timeout will not
// do: the server's writes refresh it, so a clock on the screen keeps a dead client for ever.
type idleMsg struct{ timer *idle.Timer }

// checkIdle warns an idle player, then sends the player home. A player who waits for the opponent's move is not idle.
func (m *programModel) checkIdle(timer *idle.Timer) tea.Cmd {
	switch action, left := timer.Check(m.root.AwaitsOpponent()); action {
	case idle.Warn:
		_, cmd := m.root.Update(tui.Notice(fmt.Sprintf("Still there? Any key keeps you here; if not, goodbye in %s.",
			left.Round(time.Second))))
		m.draw()
		return cmd
	case idle.End:
		m.onIdle()
		m.exitMessage = "You were away for a while, so the session has ended. Your matches are kept for as long as " +
			"the rules allow."
		return tea.Quit
	case idle.Nothing:
	}
	return nil
}
