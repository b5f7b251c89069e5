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

// Count returns a number with its noun, as "1 board" or "3 boards".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Seconds returns the whole seconds of d, rounded up and at least 0.
func Seconds(d time.Duration) int { return max(0, int((d+time.Second-1)/time.Second)) }

// Capital returns text with a capital first letter.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Time formats a time for people. Lists of days and JSON use other formats.
func Time(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }

// Until names a moment of the next weeks, as in "Sunday 14:20 UTC". From six days on, the date stands in it.
func Until(at, now time.Time) string {
	if at.Sub(now) < 6*24*time.Hour {
		return at.UTC().Format("Monday 15:04 UTC")
	}
	return at.UTC().Format("Monday 2 January 15:04 UTC")
}

// InternalFault tells a player that a fault of the server has ended the session.
const InternalFault = "A server fault has ended this session. Your matches are saved: please connect again."

// SessionEnded tells a player that the server has ended the session.
func SessionEnded(cause error) string { return "The session has ended: " + cause.Error() + "." }

// MoveLimits explains the time for the first move and for each later one.
func MoveLimits(first, later time.Duration) string {
	return "When the server finds your opponent, make your first move within " +
		Count(Seconds(first), "second", "seconds") + ", or the match is cancelled. " +
		"After that your clock runs. Without a clock, you have " +
		Count(int(later.Minutes()), "minute", "minutes") + " for each move. If you run out of time, you lose. " +
		"All other matches without a clock have no time limit."
}

// KeptApart tells that two waiting players are not paired yet, because one of them was late for a move. The late player
// is the player called name if isOtherLate is true, and the reader if not.
func KeptApart(name string, isOtherLate bool, left string) string {
	text := "You and " + name + " cannot meet for " + left + ": "
	if isOtherLate {
		return text + name + " did not move in time."
	}
	return text + "you did not move in time."
}

// Deletion tells when an account will be deleted and how to keep it. For the zero time it returns "".
func Deletion(at time.Time, host string) string {
	if at.IsZero() {
		return ""
	}
	return "Your account will be deleted on " + at.UTC().Format("2 January") + ". To keep it: ssh " + host + " me undo"
}

// KeptAtStop tells a player that the matches continue after the server's stop. matches is their number, and 0 gives
// "".
func KeptAtStop(matches int) string {
	switch matches {
	case 0:
		return ""
	case 1:
		return "Your match is kept as it stands."
	default:
		return "Your " + strconv.Itoa(matches) + " matches are kept as they stand."
	}
}

// Level returns the end of a sentence that tells how often a level of [strategy.Ladder] slips. For other levels it
// returns "".
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

// LevelNames returns the names of levels.
func LevelNames(levels []strategy.Level) []string {
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.String()
	}
	return names
}

// NoHost stands in commands for the unknown name of the server.
const NoHost = "HOST"

// GameCommand returns the ssh command line for a command of the game, such as "join K7QXHW". With [NoHost] the command
// line would not work, and the result is "".
func GameCommand(host, command string) string {
	if host == NoHost {
		return ""
	}
	return "ssh -t " + host + " " + command
}

// ResumeText tells a guest in the shell how to return to a seat. An ssh command stands on its own line, to be
// copied.
func ResumeText(host string, code match.Code) string {
	if command := GameCommand(host, "join "+string(code)); command != "" {
		return "To come back:\n" + command
	}
	return "To come back, log in with the command join " + string(code)
}

const (
	// longestSuggestion is the largest number of bytes of a word that Suggest compares. No name is longer.
	longestSuggestion = 24
	// mostMistakes is the largest number of wrong letters in a similar name. A word of fewer than four letters may have
	// one. With several mistakes the first letter must be right.
	mostMistakes = 2
)

// NameClaimed confirms a claimed name. shown is the player's name in this session.
func NameClaimed(name, shown string) string {
	if name == shown {
		return "The name " + name + " is yours."
	}
	return "The name " + name + " is yours from your next login on."
}

// Suggest completes a refusal with the name most similar to typed, preceded by prefix. The result is "" if no name
// is similar.
func Suggest(prefix, typed string, names []string) string {
	if near := nearest(typed[:min(len(typed), longestSuggestion)], names); near != "" {
		return "; did you mean " + prefix + near + "?"
	}
	return ""
}

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
