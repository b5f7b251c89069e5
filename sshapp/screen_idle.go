package sshapp

import (
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/tui"
)

// idleRule ends a session whose player has pressed no key for a while. The library's own idle timeout will not do: the
// server's writes refresh it, so a clock on the screen keeps a dead client for ever.
type idleRule struct {
	limit time.Duration
	begun time.Time
	last  atomic.Int64 // when the last key was pressed, in nanoseconds since it has begun: a clock that is set makes nobody idle
	timer *time.Timer
}

// idleMsg asks what to do about a player who has pressed no key for so long.
type idleMsg struct {
	rule  *idleRule
	still time.Duration
}

// idleWarnings is how much of the limit is left when the player is warned: a tenth.
const idleWarnings = 10

func newIdleRule(limit time.Duration, send func(tea.Msg)) *idleRule {
	r := &idleRule{limit: limit, begun: time.Now()}
	r.timer = time.AfterFunc(limit-r.warning(), func() {
		send(idleMsg{rule: r, still: time.Since(r.begun) - time.Duration(r.last.Load())})
	})
	return r
}

func (r *idleRule) warning() time.Duration { return r.limit / idleWarnings }

func (r *idleRule) pressed() { r.last.Store(int64(time.Since(r.begun))) }

func (r *idleRule) stop() { r.timer.Stop() }

// checkIdle warns an idle player, then sends the player home. Who waits for the opponent's move is not idle, and has
// the whole time, or at least a warning, once that is made.
func (st *programModel) checkIdle(idle idleMsg) tea.Cmd {
	rule := idle.rule
	switch left := rule.limit - idle.still; {
	case st.root.AwaitsOpponent():
		rule.pressed()
		rule.timer.Reset(rule.limit - rule.warning())
	case left > rule.warning():
		rule.timer.Reset(left - rule.warning())
	case left > 0:
		rule.timer.Reset(left)
		_, cmd := st.root.Update(tui.Notice(fmt.Sprintf("Still there? Any key keeps you here; if not, goodbye in %s.", left.Round(time.Second))))
		st.draw()
		return cmd
	default:
		st.onIdle()
		st.exitMessage = "You were away for a while, so the session has ended. Your matches are kept for as long as the rules allow."
		return tea.Quit
	}
	return nil
}
