package wording

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
)

// Accepts names the games that a player accepts, in the middle of a sentence. Examples are "3 boards", "1 to 5 boards",
// "3 or 5 boards or tic-tac-toe" and "a rated pair". Single numbers of boards keep their order in all. Tic-tac-toe and
// then the rated pair come last. If all unrated terms have one clock, the text names that clock, as in "3 boards, 3+2".
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

// AcceptsWithClocks is [Accepts] at the beginning of a sentence. If the player also accepts games without a clock,
// it adds [AcceptedClocks].
func AcceptsWithClocks(all []match.Terms) string {
	text := Capital(Accepts(all))
	low, _ := clocks(all)
	isUntimed := func(t match.Terms) bool { return t.Clock.IsNone() }
	if low.IsNone() || !slices.ContainsFunc(all, isUntimed) {
		return text
	}
	return text + ", " + AcceptedClocks(all) + ", or no clock"
}

// AcceptedGames is [Accepts] without clocks.
func AcceptedGames(all []match.Terms) string {
	all = slices.Clone(all)
	for i := range all {
		all[i].Clock = match.Clock{}
	}
	return Accepts(all)
}

// AcceptsShort is [Accepts] with clocks for a row of a list. Examples are "3 boards, 5 min", "1 to 5 boards, 5-7
// min", "a rated pair, 6+0" and "3 boards, no clock". all must not be empty.
func AcceptsShort(all []match.Terms) string {
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

// AcceptedClocksShort is a short form of [AcceptedClocks], such as "5 to 7 minutes each".
func AcceptedClocksShort(all []match.Terms) string {
	return strings.Replace(AcceptedClocks(all), "per player", "each", 1)
}

// AcceptedClocks describes the clocks that a player accepts, in the middle of a sentence. Examples are "5 to 7
// minutes per player" and "without a clock".
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

// clocks returns the clocks with the least and the most time, zero if all terms are without a clock.
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

// WaitsFor tells what games a player waits for, as in "ann waits for 3 boards".
func WaitsFor(name string, accepts []match.Terms) string {
	return name + " waits for " + Accepts(accepts)
}

// Terms names the game and the clock, in the middle of a sentence. Examples are "3 boards", "3 boards, 3+2" and "4
// boards, 6+0, rated".
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

// Variant names a game in the middle of a sentence, as "3 boards" or "tic-tac-toe".
func Variant(v rules.Variant) string {
	if v.IsTicTacToe() {
		return "tic-tac-toe"
	}
	counts := [rules.MaxBoards]string{ // texts that nearly every frame shows, without an allocation
		"1 board", "2 boards", "3 boards", "4 boards", "5 boards", "6 boards", "7 boards", "8 boards", "9 boards",
	}
	return counts[max(v.Boards(), 1)-1]
}

// KeptText tells how long a match waits for an absent player, without a full stop. The result is "" if the grace period
// applies.
func KeptText(s *match.State, side rules.Side) string {
	switch {
	case s.Clock.IsCorrespondence():
		return "The match continues, with " + days(s.Clock) + " for each move"
	case s.IsAgainstComputer() && !s.Clock.IsNone():
		return "The match continues, and your clock runs"
	case s.IsAgainstComputer() && s.Seat(side).Player.Guest:
		return "The match is saved for a day"
	case s.IsAgainstComputer():
		return "The match is saved for a month"
	default:
		return ""
	}
}

func days(c match.Clock) string {
	return Count(int(c.Days().Hours()/24), "day", "days")
}

// Clock describes a clock in the middle of a sentence, as in "3 minutes, plus 2 seconds a move". Without a clock it
// returns "".
func Clock(c match.Clock) string {
	switch {
	case c.IsNone():
		return ""
	case c.IsCorrespondence():
		return days(c) + " a move, bank of 3 days"
	default:
		minutes := Count(int(c.Initial().Minutes()), "minute", "minutes")
		if c.Increment() > 0 {
			return minutes + ", plus " + Count(Seconds(c.Increment()), "second", "seconds") + " a move"
		}
		return minutes + " per player"
	}
}

// ClockFace formats the time left on a clock, as "4:12" or "1:04:12".
func ClockFace(left time.Duration) string {
	seconds := Seconds(left)
	two := func(n int) string { return strconv.Itoa(n/10) + strconv.Itoa(n%10) }
	switch minutes := seconds / 60; {
	case minutes >= 60:
		return strconv.Itoa(minutes/60) + ":" + two(minutes%60) + ":" + two(seconds%60)
	default:
		return strconv.Itoa(minutes) + ":" + two(seconds%60)
	}
}

// Left formats the time left on a clock of days, as "2 d 4 h", "19 h" or "12 min".
func Left(d time.Duration) string {
	d = time.Duration(Seconds(d)) * time.Second
	switch days, hours := int(d.Hours())/24, int(d.Hours())%24; {
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case days == 0:
		return strconv.Itoa(hours) + " h"
	case hours == 0:
		return strconv.Itoa(days) + " d"
	default:
		return strconv.Itoa(days) + " d " + strconv.Itoa(hours) + " h"
	}
}

// DaysLeft formats the time left for a move and in the bank, as in "2 d 4 h + bank 3 d".
func DaysLeft(move, bank time.Duration) string {
	switch {
	case bank == 0:
		return Left(move)
	case move == 0:
		return "bank " + Left(bank)
	default:
		return Left(move) + " + bank " + Left(bank)
	}
}

// YourMove says that matches wait for the player's move, without a full stop. opponent is the opponent in a single
// match.
func YourMove(matches int, opponent string) string {
	if matches == 1 {
		return "Your move against " + opponent
	}
	return "Your move in " + Count(matches, "match", "matches")
}

// HasUntil tells when the move of the player to move is due by a clock of days. long also names the bank in it.
func HasUntil(name string, s *match.Snapshot, now time.Time) (long, short string) {
	short = name + " has until " + Until(s.MoveBy, now)
	long = short
	if _, bank := s.DaysLeft(s.Turn(), now); bank > 0 {
		long += ", with " + Left(bank) + " of the bank"
	}
	return long + ".", short + "."
}

// ClockLeft formats the time left on a clock in its two largest units, as in "4 minutes 12 seconds".
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
