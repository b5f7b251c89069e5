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

// Count returns a number with its noun: "1 board", "3 boards".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Seconds returns the whole seconds left of a time, rounded up.
func Seconds(d time.Duration) int { return max(0, int((d+time.Second-1)/time.Second)) }

// Capital returns text with its first letter in upper case.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Time formats a time for people. Lists of days and JSON have other forms.
func Time(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05 UTC") }

// InternalFault tells a player that a fault of the server has ended the session.
const InternalFault = "A fault in the server has ended this session; it is in the server's log. Your matches go on: " +
	"please come back."

// SessionEnded tells a player that the server has ended the session.
func SessionEnded(cause error) string { return "The session has ended: " + cause.Error() + "." }

// MoveLimits explains the time for the first move and for each later one.
func MoveLimits(first, later time.Duration) string {
	return "When the server finds your opponent, make your first move within " +
		Count(Seconds(first), "second", "seconds") + ", or the match does not count. " +
		"After that your clock runs; without a clock, you have " +
		Count(int(later.Minutes()), "minute", "minutes") + " for each move. If you run out of time, you lose. " +
		"All other matches without a clock have no time limit."
}

// KeptApart says how long two waiting players are not paired, because one of them did not move in time: the other one
// with isOtherLate, else the player.
func KeptApart(name string, isOtherLate bool, left string) string {
	text := "You and " + name + " cannot meet for " + left + ": "
	if isOtherLate {
		return text + name + " did not move in time."
	}
	return text + "you did not move in time."
}

// Deletion says when an account will be deleted, and how to keep it. It returns "" for the zero time.
func Deletion(at time.Time, host string) string {
	if at.IsZero() {
		return ""
	}
	return "Your account will be deleted on " + at.UTC().Format("2 January") + ". To keep it: ssh " + host + " me undo"
}

// KeptAtStop says that a player's matches continue after the server's stop. It returns "" without matches.
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

// Level says how a rung of the ladder plays, as the end of a sentence. It returns "" for other levels.
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

// LevelNames returns the names of levels, in their order.
func LevelNames(levels []strategy.Level) []string {
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.String()
	}
	return names
}

// NoHost stands in commands for the unknown name of the server.
const NoHost = "HOST"

// GameCommand returns an ssh command with a command of the game, such as "join K7QX". It returns "" with [NoHost],
// because such a command would not work.
func GameCommand(host, place string) string {
	if host == NoHost {
		return ""
	}
	return "ssh -t " + host + " " + place
}

// ResumeText tells a guest in the shell how to return to a seat. An ssh command has a line of its own.
func ResumeText(host string, code match.Code) string {
	if command := GameCommand(host, "join "+string(code)); command != "" {
		return "Your way back:\n" + command
	}
	return "Your way back: log in with the command join " + string(code)
}

const (
	// longestSuggestion is the number of bytes of a word that are compared. No name is longer.
	longestSuggestion = 24
	// mostMistakes is the largest number of wrong letters in a word. It is lower in a word of fewer than four letters.
	// With several mistakes the first letter must be right.
	mostMistakes = 2
)

// NameClaimed says that a name belongs to its player, who is shown as shown in this session.
func NameClaimed(name, shown string) string {
	if name == shown {
		return "The name " + name + " is yours."
	}
	return "The name " + name + " is yours from your next login on."
}

// Suggest proposes the name that typed most resembles, as the end of a refusal. prefix stands before the name. It
// returns "" if no name is similar.
func Suggest(prefix, typed string, names []string) string {
	if near := nearest(typed[:min(len(typed), longestSuggestion)], names); near != "" {
		return "; did you mean " + prefix + near + "?"
	}
	return ""
}

// nearest compares with cobra, at first with one mistake, then with more.
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
