package wording

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
)

// Accepts names the games that a player would play, the preferred one first, in the middle of a sentence: "3 boards",
// "1 to 5 boards", "3 or 5 boards or tic-tac-toe", "a rated pair". It names a clock if the player accepts only that
// one: "3 boards, 3+2".
func Accepts(all []match.Terms) string {
	isRated := func(t match.Terms) bool { return t.Pool.IsRated() }
	if slices.ContainsFunc(all, isRated) {
		all = slices.DeleteFunc(slices.Clone(all), isRated)
		if len(all) == 0 {
			return RatedPair
		}
		return Accepts(all) + " or " + RatedPair
	}
	clock := match.Clock{}
	if len(all) > 0 && !slices.ContainsFunc(all, func(t match.Terms) bool { return t.Clock != all[0].Clock }) {
		clock = all[0].Clock
	}
	return withClock(acceptedVariants(all), clock)
}

// AcceptsWithClocks is [Accepts] at the beginning of a sentence. It also tells the time of the preferred clock if the
// player would play without a clock too.
func AcceptsWithClocks(all []match.Terms) string {
	text := Capital(Accepts(all))
	low, _ := clocks(all)
	isUntimed := func(t match.Terms) bool { return t.Clock.IsNone() }
	if low.IsNone() || !slices.ContainsFunc(all, isUntimed) {
		return text
	}
	return text + ", " + AcceptedClocks(all) + ", or no clock"
}

// AcceptedGames is [Accepts] without a clock.
func AcceptedGames(all []match.Terms) string {
	all = slices.Clone(all)
	for i := range all {
		all[i].Clock = match.Clock{}
	}
	return Accepts(all)
}

// AcceptsInShort is [Accepts] with the clocks, for a row of a list: "3 boards, 5 min", "1 to 5 boards, 5-7 min", "a
// rated pair, 6+0", "3 boards, no clock".
func AcceptsInShort(all []match.Terms) string {
	text := Accepts(all)
	low, high := clocks(all)
	switch {
	case all[0].Pool.IsRated() && len(all) == 1:
		return withClock(text, low)
	case low.IsNone():
		return text + ", no clock"
	case low.IsCorrespondence() || strings.HasSuffix(text, low.String()):
		return text
	}
	minutes := strconv.Itoa(int(low.Initial().Minutes()))
	if low != high {
		minutes += "-" + strconv.Itoa(int(high.Initial().Minutes()))
	}
	return text + ", " + minutes + " min"
}

// ClocksEach is a short form of [AcceptedClocks]: "5 to 7 minutes each".
func ClocksEach(all []match.Terms) string {
	return strings.Replace(AcceptedClocks(all), "per player", "each", 1)
}

// AcceptedClocks tells the time of the clocks that a player accepts, in the middle of a sentence: "5 to 7 minutes per
// player", or "without a clock".
func AcceptedClocks(all []match.Terms) string {
	switch low, high := clocks(all); {
	case low.IsNone():
		return "without a clock"
	case low == high:
		return Clock(low)
	default:
		return strconv.Itoa(int(low.Initial().Minutes())) + " to " + Clock(high)
	}
}

// clocks returns the clocks with the least and the most time, or none if all terms are without a clock.
func clocks(all []match.Terms) (low, high match.Clock) {
	for _, t := range all {
		if t.Clock.IsNone() {
			continue
		}
		if low.IsNone() || t.Clock.Initial() < low.Initial() {
			low = t.Clock
		}
		if high.IsNone() || t.Clock.Initial() > high.Initial() {
			high = t.Clock
		}
	}
	return low, high
}

func acceptedVariants(all []match.Terms) string {
	var counts []int
	other := ""
	for _, terms := range all {
		if terms.Variant.IsTicTacToe() {
			other = Variant(terms.Variant)
		} else if n := terms.Variant.Boards(); !slices.Contains(counts, n) {
			counts = append(counts, n)
		}
	}
	if len(counts) == 0 {
		return other
	}
	var parts []string
	if low, high := slices.Min(counts), slices.Max(counts); len(counts) > 2 && high-low == len(counts)-1 {
		parts = []string{strconv.Itoa(low) + " to " + Count(high, "board", "boards")}
	} else {
		for i, n := range counts {
			if parts = append(parts, strconv.Itoa(n)); i == len(counts)-1 {
				parts[i] = Count(n, "board", "boards")
			}
		}
	}
	if other != "" {
		parts = append(parts, other)
	}
	return strings.Join(parts, " or ")
}

// WaitsFor says that a player waits, and for which games: "ann waits for 3 boards".
func WaitsFor(name string, accepts []match.Terms) string {
	return name + " waits for " + Accepts(accepts)
}

// Terms names the game and the clock, in the middle of a sentence: "3 boards", "3 boards, 3+2", "4 boards, 6+0, rated".
func Terms(t match.Terms) string {
	text := withClock(Variant(t.Variant), t.Clock)
	if t.Pool.IsRated() {
		text += ", rated"
	}
	return text
}

func withClock(text string, c match.Clock) string {
	switch {
	case c.IsNone():
		return text
	case c.IsCorrespondence():
		return text + ", " + days(c) + " a move"
	default:
		return text + ", " + c.String()
	}
}

// Variant names a game, in the middle of a sentence: "3 boards" or "tic-tac-toe".
func Variant(v rules.Variant) string {
	if v.IsTicTacToe() {
		return "tic-tac-toe"
	}
	return Count(v.Boards(), "board", "boards")
}

// Kept says how long a match waits for an absent player, as a sentence without its stop. It returns "" if the player
// has the grace period.
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

// Clock describes a clock in the middle of a sentence: "3 minutes, plus 2 seconds a move". It returns "" for none.
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

// ClockFace formats the time left on a clock in at most seven cells: "4:12", "1:04:12", "2d 04h".
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

// ClockLeft tells the time left on a clock in its two largest units: "4 minutes 12 seconds".
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
