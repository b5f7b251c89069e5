package wording

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"notakto/match"
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

// Time is a moment as people read it. Lists of days and JSON have forms of their own.
func Time(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }

// InternalFault is what a player reads whose session a fault of the server has ended.
const InternalFault = "A fault in the server has ended this session; it is in the server's log. Your matches go on: " +
	"please come back."

// SessionEnded is what a player reads whose session the server has ended.
func SessionEnded(cause error) string { return "The session has ended: " + cause.Error() + "." }

// MoveLimits is the rule for the time that a move may take, for the first move and for each later one.
func MoveLimits(first, later time.Duration) string {
	return "When the server finds your opponent, make your first move within " +
		Count(Seconds(first), "second", "seconds") + ", or the match does not count. " +
		"After that your clock runs; without a clock, you have " +
		Count(int(later.Minutes()), "minute", "minutes") + " for each move. If you run out of time, you lose. " +
		"All other matches without a clock have no time limit."
}

// KeptApart says that a player and one who waits too cannot meet for the time that is left, because the other one did
// not move in time, or else because the player did not.
func KeptApart(name string, isOtherLate bool, left string) string {
	text := "You and " + name + " cannot meet for " + left + ": "
	if isOtherLate {
		return text + name + " did not move in time."
	}
	return text + "you did not move in time."
}

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

// ResumeText says in the shell how a guest comes back to a seat. A command has a line of its own.
func ResumeText(host string, code match.Code) string {
	if command := GameCommand(host, "join "+string(code)); command != "" {
		return "Your way back:\n" + command
	}
	return "Your way back: log in with the command join " + string(code)
}

const (
	// longestSuggestion is how much of a word is compared: no name is that long.
	longestSuggestion = 24
	// mostMistakes is how many letters may be wrong, in a word that has twice as many, and whose first one is right if
	// more than one is wrong.
	mostMistakes = 2
)

// NameClaimed says to a player who is shown as shown that a name is theirs.
func NameClaimed(name, shown string) string {
	if name == shown {
		return "The name " + name + " is yours."
	}
	return "The name " + name + " is yours from your next login on."
}

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
