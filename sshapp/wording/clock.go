package wording

import (
	"strconv"
	"time"

	"notakto/match"
	"notakto/rules"
)

// Kept is what becomes of a match while a player is away, as a sentence without its stop; empty if the player has the
// grace period to come back.
func Kept(s *match.State, side rules.Side) string {
	switch {
	case s.Clock.IsCorrespondence():
		return "The match goes on, with " + days(s.Clock) + " for each move"
	case s.IsAgainstComputer() && !s.Clock.IsNone():
		return "The match goes on, and so does your clock"
	case s.IsAgainstComputer() && s.SeatState(side).Player.Guest:
		return "The match is kept for a day"
	case s.IsAgainstComputer():
		return "The match is kept for a month"
	default:
		return ""
	}
}

func days(c match.Clock) string {
	return Count(int(c.Initial().Hours()/24), "day", "days")
}

// Clock is what a clock gives, in the middle of a sentence: "3 minutes, plus 2 seconds a move"; empty for none.
func Clock(c match.Clock) string {
	switch {
	case c.IsNone():
		return ""
	case c.IsCorrespondence():
		return days(c) + " for each move"
	default:
		minutes := Count(int(c.Initial().Minutes()), "minute", "minutes")
		if c.Increment() > 0 {
			return minutes + ", plus " + Count(Seconds(c.Increment()), "second", "seconds") + " a move"
		}
		return minutes + " per player"
	}
}

// ClockFace is the time that a clock has left as it is shown, in at most seven cells: "4:12", "1:04:12", "2d 04h".
func ClockFace(left time.Duration) string {
	seconds := Seconds(left)
	two := func(n int) string { return strconv.Itoa(n/10) + strconv.Itoa(n%10) }
	switch minutes := seconds / 60; {
	case minutes >= 24*60:
		return strconv.Itoa(minutes/60/24) + "d " + two(minutes/60%24) + "h"
	case minutes >= 60:
		return strconv.Itoa(minutes/60) + ":" + two(minutes%60) + ":" + two(seconds%60)
	default:
		return strconv.Itoa(minutes) + ":" + two(seconds%60)
	}
}

// ClockLeft is the time that a clock has left, in words: the two largest units, "4 minutes 12 seconds".
func ClockLeft(left time.Duration) string {
	seconds := Seconds(left)
	two := func(large int, one, many string, small int, smallOne, smallMany string) string {
		if small == 0 {
			return Count(large, one, many)
		}
		return Count(large, one, many) + " " + Count(small, smallOne, smallMany)
	}
	switch minutes := seconds / 60; {
	case minutes >= 24*60:
		return two(minutes/60/24, "day", "days", minutes/60%24, "hour", "hours")
	case minutes >= 60:
		return two(minutes/60, "hour", "hours", minutes%60, "minute", "minutes")
	case minutes > 0:
		return two(minutes, "minute", "minutes", seconds%60, "second", "seconds")
	default:
		return Count(seconds, "second", "seconds")
	}
}
