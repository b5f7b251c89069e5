package tui

import (
	"strconv"
	"time"

	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// countdown counts the seconds that a player has left to come back or to move.
type countdown struct {
	table  *client.Table
	now    time.Time // the time of the last tick
	tickAt time.Time // the time of the next tick, zero if no tick is due
}

// lastMinute is the time left for a move below which the countdown shows seconds.
const lastMinute = time.Minute

// nextPause sets c.now and returns the pause before the next tick, when the text or a running clock changes. The pause
// is at least a second. nextPause returns 0 if no time runs or an earlier tick is due.
func (c *countdown) nextPause(now time.Time) (pause time.Duration) {
	c.now = now
	_, isAway := c.timeToReturn()
	left, isLimited := c.timeToMove()
	if !isAway && !isLimited {
		return 0
	}
	pause = time.Second
	switch {
	case isAway:
	case c.table.ClockRuns():
		if days, _ := c.table.DaysLeft(c.table.Turn(), now); days > 0 {
			left = days
		}
		if unit := clockUnit(left); unit > time.Second {
			pause = max(pause, (left-1)%unit+1)
		}
	default:
		pause = max(pause, left-lastMinute)
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

// timeToReturn returns how long the player to move may stay away before losing the match, and false if that player is
// present or plays at this screen.
func (c *countdown) timeToReturn() (time.Duration, bool) {
	if c.table.ForfeitAt.IsZero() || c.table.IsMyTurn() {
		return 0, false
	}
	return max(0, c.table.ForfeitAt.Sub(c.now)), true
}

func (c *countdown) timeToMove() (time.Duration, bool) {
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

// clockTime returns the time for reading the clocks on the screen. A clock that runs was read at the last tick.
func (c *countdown) clockTime() time.Time {
	if c.table.ClockRuns() {
		return c.now
	}
	return c.table.TurnSince
}

// text returns the time left to come back, else the time left to move if that is at most shortTime, else "".
func (c *countdown) text(e *env) (string, draw.Role) {
	mover := c.table.Seat(c.table.Turn())
	who := mover.Player.Name
	if left, isAway := c.timeToReturn(); isAway {
		s := strconv.Itoa(wording.Seconds(left)) + " s to come back"
		return e.either(who+" is away: "+s+", or the match is lost.", who+": "+s), draw.Notice
	}
	left, isLimited := c.timeToMove()
	if !isLimited || left > c.shortTime() {
		return "", draw.Faint
	}
	s, isFirst := strconv.Itoa(wording.Seconds(left))+" s", c.table.IsFirstMove()
	switch {
	case c.table.IsMyTurn() && c.table.Summary().IsVoidIfLate():
		return e.either("Make your first move: "+s+" left, or the match is cancelled.",
			"Your first move: "+s+" left."), draw.Notice
	case c.table.IsMyTurn():
		return "Move within " + s + ", or you lose.", draw.Notice
	case isFirst && !mover.Present:
		return e.either(who+" is away: "+s+" to make the first move.", who+" is away: "+s+"."), draw.Notice
	case isFirst:
		return e.either(who+" has "+s+" to make the first move.", who+": "+s+" to move."), draw.Faint
	default:
		return e.either(who+" has "+s+" left to move.", who+": "+s+" to move."), draw.Faint
	}
}
