package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
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

// Level says how a rung of the ladder plays, as the end of a sentence about it; empty for other levels.
func Level(l strategy.Level) string {
	switch l {
	case strategy.Novice:
		return "slips on 4 moves in 5."
	case strategy.Learner:
		return "slips on every second move."
	case strategy.Steady:
		return "slips on 3 moves in 10."
	case strategy.Careful:
		return "slips on 1 move in 6."
	case strategy.Sharp:
		return "slips on 1 move in 12."
	case strategy.Perfect:
		return "never gives a win away."
	default:
		return ""
	}
}

// LevelNames returns the names of some levels.
func LevelNames(levels []strategy.Level) []string {
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.String()
	}
	return names
}

// NoHost stands in commands for a server whose public name is not known.
const NoHost = "HOST"

// GameCommand is a command to copy that begins at a place of the game, such as "join K7QX"; empty with [NoHost], for
// then it would not work as it stands.
func GameCommand(host, place string) string {
	if host == NoHost {
		return ""
	}
	return "ssh -t " + host + " " + place
}

// ResumeText says in the shell how a guest comes back to a seat.
func ResumeText(host string, code match.Code) string {
	if command := GameCommand(host, "join "+string(code)); command != "" {
		return "Your way back: " + command
	}
	return "Your way back: log in with the command join " + string(code)
}

// ShareLine is a match that is over in one line for a chat, as told by the player of a side: how it ended, for each of
// the player's moves whether it kept the win, gave it away, or had none to keep, and the command to watch it, or the
// match's identifier where the host is not known. With ascii the signs are letters. The line holds nothing that a shell
// would run if it is pasted there.
func ShareLine(s *match.State, side rules.Side, reviews []strategy.MoveReview, host string, ascii bool) string {
	game, kept, gave, none := "Notakto "+strings.Repeat("▦", s.Variant.Boards()), "✓", "✗", "·"
	if ascii {
		game, kept, gave, none = "Notakto/"+strconv.Itoa(s.Variant.Boards()), "+", "x", "-"
	}
	if s.Variant.IsTicTacToe() {
		game = "Tic-tac-toe"
	}
	verb := "lost to"
	switch {
	case s.Outcome.IsVoid():
		verb = "did not count against"
	case s.Outcome.Winner == side:
		verb = "beat"
	case s.Outcome.Winner == rules.Nobody:
		verb = "drew with"
	}
	var marks strings.Builder
	for _, r := range reviews {
		switch {
		case r.Side != side:
		case r.Mistake():
			marks.WriteString(gave)
		case r.Before == strategy.Loss:
			marks.WriteString(none)
		default:
			marks.WriteString(kept)
		}
	}
	line := fmt.Sprintf("%s %s %s in %s", game, verb, quoted(s.SeatState(side.Other()).Player.Name),
		Count(len(s.Moves), "move", "moves"))
	if marks.Len() > 0 {
		line += "  " + marks.String()
	}
	command := GameCommand(host, "watch "+string(s.ID))
	return line + "  " + cmp.Or(command, "match "+string(s.ID))
}

// quoted is a name in quotes if a shell may take one of its signs for more than itself, such as the & of x&reboot. No
// name has a double quote, a backslash, a dollar or an exclamation mark, which mean something in quotes too.
func quoted(name string) string {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_.+#", r) {
			return `"` + name + `"`
		}
	}
	return name
}

const (
	// longestSuggestion is how much of a word is compared: no name is that long.
	longestSuggestion = 24
	// mostMistakes is how many letters may be wrong, in a word that has twice as many, and whose first one is right if
	// more than one is wrong.
	mostMistakes = 2
)

// Suggest proposes the name that was probably meant by what was typed, in words that go behind a refusal; nothing if
// none is near. The prefix stands before the name.
func Suggest(prefix, typed string, names []string) string {
	if near := nearest(typed[:min(len(typed), longestSuggestion)], names); near != "" {
		return "; did you mean " + prefix + near + "?"
	}
	return ""
}

// nearest has cobra compare: first it allows one mistake, then more.
func nearest(typed string, names []string) string {
	tree := new(cobra.Command)
	for _, name := range names {
		tree.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	for mistakes := 1; typed != "" && mistakes <= max(1, min(mostMistakes, len(typed)/2)); mistakes++ {
		tree.SuggestionsMinimumDistance = mistakes
		for _, near := range tree.SuggestionsFor(typed) {
			if mistakes == 1 || strings.EqualFold(near[:1], typed[:1]) {
				return near
			}
		}
	}
	return ""
}
