package tui

import (
	"strconv"
	"time"

	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// countdown counts the seconds that a player has left to come back or to move. It holds the shown time and the time of
// the next tick, and only reads the table.
type countdown struct {
	table  *client.Table
	now    time.Time // the time of the last tick
	tickAt time.Time // the time of the next tick; zero if none is due
}

// lastMinute is the time left for a move at which the countdown begins to show seconds.
const lastMinute = time.Minute

// next sets c.now and returns the pause before the next tick. The pause is a second, or longer while the time for a
// move is not short. next returns 0 if no time runs, or if an earlier tick is due.
func (c *countdown) next(now time.Time) (pause time.Duration) {
	c.now = now
	_, isAway := c.toReturn()
	left, isLimited := c.toMove()
	if !isAway && !isLimited {
		return 0
	}
	pause = time.Second
	if !isAway {
		pause = max(pause, left-c.shortTime())
	}
	if at := now.Add(pause); c.tickAt.IsZero() || at.Before(c.tickAt) {
		c.tickAt = at
		return pause
	}
	return 0
}

func (c *countdown) onTick(now time.Time) {
	if c.now = now; !now.Before(c.tickAt) {
		c.tickAt = time.Time{}
	}
}

// toReturn returns how long the player to move may stay away before losing the match. It reports false if that player
// is present or plays at this screen.
func (c *countdown) toReturn() (time.Duration, bool) {
	if c.table.ForfeitAt.IsZero() || c.table.IsMyTurn() {
		return 0, false
	}
	return max(0, c.table.ForfeitAt.Sub(c.now)), true
}

// toMove returns how much of the time for a move is left. It reports false if there is no limit.
func (c *countdown) toMove() (time.Duration, bool) {
	if c.table.MoveBy.IsZero() {
		return 0, false
	}
	return max(0, c.table.MoveBy.Sub(c.now)), true
}

func (c *countdown) shortTime() time.Duration {
	if c.table.ClockRuns() {
		return shortClock
	}
	return lastMinute
}

// clockTime returns the time at which the clocks are read for display: the start of the turn, so that a still screen
// does not change, or the last tick once the mover has at most shortTime left.
func (c *countdown) clockTime() time.Time {
	if left, isLimited := c.toMove(); isLimited && left <= c.shortTime() {
		return c.now
	}
	return c.table.TurnSince
}

// text returns the time left to come back, else the time left to move if it is at most shortTime, else "".
func (c *countdown) text(e *env) (string, draw.Role) {
	mover := c.table.SeatState(c.table.Turn())
	who := mover.Player.Name
	if left, isAway := c.toReturn(); isAway {
		s := strconv.Itoa(wording.Seconds(left)) + " s to come back"
		return e.either(who+" is away: "+s+", or lose the match.", who+": "+s), draw.Notice
	}
	left, isLimited := c.toMove()
	if !isLimited || left > c.shortTime() {
		return "", draw.Faint
	}
	s, isFirst := strconv.Itoa(wording.Seconds(left))+" s", c.table.IsFirstMove()
	switch {
	case c.table.IsMyTurn() && isFirst && c.table.Game() != 2:
		move := "Your first move: " + s + " left"
		return e.either(move+", then the match is void.", move+"."), draw.Notice
	case c.table.IsMyTurn():
		return e.either(s+" left for your move, or you lose.", "Move within "+s+", or you lose."), draw.Notice
	case isFirst && !mover.Present:
		return e.either(who+" is away: "+s+" for the first move.", who+" is away: "+s+"."), draw.Notice
	case isFirst:
		return e.either(who+" has "+s+" for the first move.", who+": "+s+" to move."), draw.Faint
	default:
		return e.either(who+" has "+s+" left to move.", who+": "+s+" to move."), draw.Faint
	}
}
