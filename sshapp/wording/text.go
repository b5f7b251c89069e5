package wording

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"notakto/match"
	"notakto/rules"
)

// Count is a number with its noun: "1 board", "3 boards".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Seconds is a time that runs out, as whole seconds left.
func Seconds(d time.Duration) int { return max(0, int((d+time.Second-1)/time.Second)) }

// Capital is text with a capital at its beginning.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// InternalFault is what a player reads whose session a fault of the server has ended.
const InternalFault = "A fault in the server has ended this session; it is in the server's log. Your matches go on: " +
	"please come back."

// MoveLimits is the rule for the time that a move may take, for the first move and for each later one.
func MoveLimits(first, later time.Duration) string {
	return "When the server finds your opponent, make your first move within " +
		Count(Seconds(first), "second", "seconds") + ", or the match does not count. " +
		"After that your clock runs; without a clock, you have " +
		Count(int(later.Minutes()), "minute", "minutes") + " for each move. If you run out of time, you lose. " +
		"All other matches without a clock have no time limit."
}

// NotPaired is why a player waits although others do.
func NotPaired(apart time.Duration) string {
	return "Two players are not paired again for " + Count(int(apart.Minutes()), "minute", "minutes") +
		" after one of them did not move in time."
}

// SessionEnded is what a player reads whose session the server has ended.
func SessionEnded(cause error) string { return "The session has ended: " + cause.Error() + "." }

// Time is a moment as people read it. Lists of days and JSON have forms of their own.
func Time(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }

// Deletion says that an account will be deleted, and how to keep it; empty without a time.
func Deletion(at time.Time, host string) string {
	if at.IsZero() {
		return ""
	}
	return "Your account will be deleted on " + at.UTC().Format("2 January") + ". To keep it: ssh " + host + " me undo"
}

// KeptAtStop is what becomes of a player's matches while the server is away; empty if there are none.
func KeptAtStop(matches int) string {
	switch matches {
	case 0:
		return ""
	case 1:
		return "Your match is kept, and goes on where it stands."
	default:
		return "Your " + strconv.Itoa(matches) + " matches are kept, and go on where they stand."
	}
}

// Accepts is what a player would play, the preferred terms first, in the middle of a sentence: "3 boards", "1 to 5
// boards", "3 or 5 boards or tic-tac-toe", "a rated pair". A clock is named if the player plays with that one only:
// "3 boards, 3+2".
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

// AcceptsWithClocks is what a player waits for, at the beginning of a sentence: as [Accepts] has it, and with the
// time of the preferred clock if the player would play without it too.
func AcceptsWithClocks(all []match.Terms) string {
	text := Capital(Accepts(all))
	low, _ := clocks(all)
	isUntimed := func(t match.Terms) bool { return t.Clock.IsNone() }
	if low.IsNone() || !slices.ContainsFunc(all, isUntimed) {
		return text
	}
	return text + ", " + AcceptedClocks(all) + ", or no clock"
}

// AcceptedClocks is how much time the clocks give that a player would play with, in the middle of a sentence: "5 to 7
// minutes per player"; "without a clock" if there is none.
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

// clocks are the one of least time and the one of most among the clocks of some terms; none if none has a clock.
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
	var parts []string
	switch low, high := bounds(counts); {
	case len(counts) == 0:
		return other
	case len(counts) > 2 && high-low == len(counts)-1:
		parts = []string{strconv.Itoa(low) + " to " + Count(high, "board", "boards")}
	default:
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

// bounds are the least and the greatest of some numbers; zero if there are none.
func bounds(all []int) (low, high int) {
	if len(all) == 0 {
		return 0, 0
	}
	return slices.Min(all), slices.Max(all)
}

// WaitsFor is a player who waits, and for what: "ann waits for 3 boards".
func WaitsFor(name string, accepts []match.Terms) string {
	return name + " waits for " + Accepts(accepts)
}

// Terms is what is played and with which clock, in the middle of a sentence: "3 boards", "3 boards, 3+2", "4 boards,
// 6+0, rated".
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

// Variant is what is played, in the middle of a sentence: "3 boards", or the name of the other game.
func Variant(v rules.Variant) string {
	if v.IsTicTacToe() {
		return "tic-tac-toe"
	}
	return Count(v.Boards(), "board", "boards")
}
