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

const day = 24 * time.Hour

// bankDays is the bank of a clock of days.
const bankDays = 3

// ErrBadClock says that a text or a number describes no clock.
var ErrBadClock = errors.New("no such clock: it is none, minutes and seconds a move such as 3+2, or days a " +
	"move such as 1d")

// Clock limits the time of both players of a match. The zero value is no clock. Clocks are comparable. Make one with
// [Fischer], [Correspondence] or [ParseClock].
type Clock struct {
	minutes   uint8 // of each player
	increment uint8 // seconds added with each move
	days      uint8 // for each move, with minutes and increment zero
	bank      uint8 // days of each player for the whole match, only with days
}

// Fischer returns a clock with minutes for each player and increment seconds added with each move, or [ErrBadClock].
func Fischer(minutes, increment int) (Clock, error) {
	if minutes < 1 || minutes > MaxClockMinutes || increment < 0 || increment > MaxClockIncrement {
		return Clock{}, fmt.Errorf("%w (1 to %d minutes and 0 to %d seconds, not %d+%d)",
			ErrBadClock, MaxClockMinutes, MaxClockIncrement, minutes, increment)
	}
	return Clock{minutes: uint8(minutes), increment: uint8(increment)}, nil
}

// Correspondence returns a clock with days for each move and a bank of three days, or [ErrBadClock].
func Correspondence(days int) (Clock, error) {
	if days < 1 || days > MaxClockDays {
		return Clock{}, fmt.Errorf("%w (1 to %d days, not %d)", ErrBadClock, MaxClockDays, days)
	}
	return Clock{days: uint8(days), bank: bankDays}, nil
}

// DefaultClock returns the clock of a casual match if its players ask for a clock without naming one. A player has
// five minutes on up to three boards, and one more minute for each further board.
func DefaultClock(v rules.Variant) Clock {
	return Clock{minutes: uint8(max(5, v.Boards()+2))}
}

// OfferedClocks returns the choices of a menu. The first is the zero Clock.
func OfferedClocks() []Clock {
	all := []Clock{{}, {minutes: 3, increment: 2}, {minutes: 5}, {minutes: 10, increment: 5}}
	for _, days := range [...]uint8{1, 2, 3, 7, 14} {
		all = append(all, Clock{days: days, bank: bankDays})
	}
	return all
}

const noClock = "none"

// ParseClock reads "none", minutes and seconds a move such as "3+2", or days a move such as "1d". The error is
// [ErrBadClock].
func ParseClock(text string) (Clock, error) {
	if text == noClock {
		return Clock{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, ok := clockNumber(days); ok {
			return Correspondence(n)
		}
	}
	minutes, increment, _ := strings.Cut(text, "+")
	m, okMinutes := clockNumber(minutes)
	n, okIncrement := clockNumber(increment)
	if !okMinutes || !okIncrement {
		return Clock{}, fmt.Errorf("%w (not %.40q)", ErrBadClock, text)
	}
	return Fischer(m, n)
}

// clockNumber reads a number of one to three digits. Leading zeros are an error because a clock must have only one
// text.
func clockNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n < 1000 && strconv.Itoa(n) == text
}

// String returns the text that [ParseClock] reads. The text does not tell the bank.
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

// IsNone reports whether c is the zero Clock.
func (c Clock) IsNone() bool { return c == Clock{} }

// IsCorrespondence reports whether c counts days for each move.
func (c Clock) IsCorrespondence() bool { return c.days > 0 }

// Days returns the time for each move of a clock of days, else zero.
func (c Clock) Days() time.Duration { return time.Duration(c.days) * day }

// Bank returns the time of each player for the whole match that a clock of days adds. A move that takes longer than
// Days makes the player's bank smaller by the rest.
func (c Clock) Bank() time.Duration { return time.Duration(c.bank) * day }

// WithBank returns a clock of days with a bank of other days. Matches recorded by older versions have no bank.
func (c Clock) WithBank(days uint8) Clock {
	c.bank = days
	return c
}

// Initial returns a player's time at the start of the match, zero without a clock.
func (c Clock) Initial() time.Duration {
	return time.Duration(c.minutes)*time.Minute + c.Days() + c.Bank()
}

// Increment returns the time that a player gets with each move.
func (c Clock) Increment() time.Duration { return time.Duration(c.increment) * time.Second }

// remaining returns a player's time after a move. left is the time before the turn, and spent is charged for the
// move.
func (c Clock) remaining(left, spent time.Duration) time.Duration {
	if c.IsCorrespondence() {
		return min(left, left-spent+c.Days())
	}
	return left - spent + c.Increment()
}
