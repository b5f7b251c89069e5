package match

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"notakto/rules"
)

// Bounds of a [Clock].
const (
	MaxClockMinutes   = 180
	MaxClockIncrement = 180 // seconds
	MaxClockDays      = 14
)

// ErrBadClock says that a text is no clock.
var ErrBadClock = errors.New("no such clock: it is none, minutes and seconds a move such as 3+2, or days a " +
	"move such as 1d")

// Clock limits the time of both players of a match. It is comparable, and the zero value is no clock. Make one with
// [Fischer], [Correspondence] or [ParseClock].
type Clock struct {
	minutes   uint8 // of each player
	increment uint8 // seconds that a player gets with each move
	days      uint8 // for each move, in place of the other two
}

// Fischer returns a clock with the given minutes for each player and seconds added with each move, or [ErrBadClock].
func Fischer(minutes, increment int) (Clock, error) {
	if minutes < 1 || minutes > MaxClockMinutes || increment < 0 || increment > MaxClockIncrement {
		return Clock{}, fmt.Errorf("%w (1 to %d minutes and 0 to %d seconds, not %d+%d)",
			ErrBadClock, MaxClockMinutes, MaxClockIncrement, minutes, increment)
	}
	return Clock{minutes: uint8(minutes), increment: uint8(increment)}, nil
}

// Correspondence returns a clock with the given days for each move, or [ErrBadClock].
func Correspondence(days int) (Clock, error) {
	if days < 1 || days > MaxClockDays {
		return Clock{}, fmt.Errorf("%w (1 to %d days, not %d)", ErrBadClock, MaxClockDays, days)
	}
	return Clock{days: uint8(days)}, nil
}

// DefaultClock returns the clock of a casual match whose players ask for a clock without naming one. Each player has
// five minutes on up to three boards, and one more minute for each further board.
func DefaultClock(v rules.Variant) Clock {
	return Clock{minutes: uint8(max(5, v.Boards()+2))}
}

// OfferedClocks returns the clocks of a menu. The first is none.
func OfferedClocks() []Clock {
	return []Clock{{}, {minutes: 3, increment: 2}, {minutes: 5}, {minutes: 10, increment: 5}, {days: 1}}
}

const noClock = "none"

// ParseClock reads "none", minutes and seconds a move such as "3+2", or days a move such as "1d". The error is
// [ErrBadClock].
func ParseClock(text string) (Clock, error) {
	if text == noClock {
		return Clock{}, nil
	}
	if days, is := strings.CutSuffix(text, "d"); is {
		if n, ok := clockNumber(days); ok {
			return Correspondence(n)
		}
	}
	minutes, increment, _ := strings.Cut(text, "+")
	m, ok := clockNumber(minutes)
	n, also := clockNumber(increment)
	if !ok || !also {
		return Clock{}, fmt.Errorf("%w (not %.40q)", ErrBadClock, text)
	}
	return Fischer(m, n)
}

// clockNumber reads a number of one to three digits without leading zeros, so that a clock has one text only.
func clockNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n < 1000 && strconv.Itoa(n) == text
}

// String returns the text that [ParseClock] reads.
func (c Clock) String() string {
	switch {
	case c.days > 0:
		return strconv.Itoa(int(c.days)) + "d"
	case c.minutes > 0:
		return strconv.Itoa(int(c.minutes)) + "+" + strconv.Itoa(int(c.increment))
	default:
		return noClock
	}
}

// MarshalText returns the clock's text.
func (c Clock) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the clock's text. The error is [ErrBadClock].
func (c *Clock) UnmarshalText(text []byte) (err error) {
	*c, err = ParseClock(string(text))
	return err
}

// IsNone reports whether there is no clock.
func (c Clock) IsNone() bool { return c == Clock{} }

// IsCorrespondence reports whether the clock counts days for each move.
func (c Clock) IsCorrespondence() bool { return c.days > 0 }

// Initial returns each player's time at the start of the match, or for each move of a correspondence match. It returns
// zero without a clock.
func (c Clock) Initial() time.Duration {
	return time.Duration(c.minutes)*time.Minute + time.Duration(c.days)*24*time.Hour
}

// Increment returns what a player gets with each move.
func (c Clock) Increment() time.Duration { return time.Duration(c.increment) * time.Second }

// after returns the time that a player has left after a move. left is the time before the turn, spent is the time
// charged for the move.
func (c Clock) after(left, spent time.Duration) time.Duration {
	if c.IsCorrespondence() {
		return c.Initial()
	}
	return left - spent + c.Increment()
}
