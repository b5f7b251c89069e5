package wording

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

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
