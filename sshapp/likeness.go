package sshapp

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"notakto/match"
	"notakto/rules/strategy"
)

// markLength is how many letters and digits of the fingerprint tell a player from another of a like name.
const markLength = 4

// TellApart is the player under a name that cannot be taken for the other's: with a mark from the player's fingerprint, if need be, such
// as "alice#Xk3d". Nobody can choose such a name.
func TellApart(p, other match.Player) match.Player {
	if p.ID == other.ID || p.Name == "" || !alike(p.Name, other.Name) {
		return p
	}
	mark := string(markSign) + markOf(p.ID)
	p.Name = ansi.Truncate(p.Name, maxNameWidth-len(mark), "") + mark
	return p
}

// markOf is the beginning of a fingerprint, as ssh-keygen -l shows it, or of a guest's number.
func markOf(id match.PlayerID) string {
	_, digits, _ := strings.Cut(string(id), ":")
	alphanumeric := func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}
	digits = strings.Map(alphanumeric, digits)
	return digits[:min(len(digits), markLength)]
}

// reserved reports whether a name could be taken for the server's own words: a computer player, "You" or "Your turn", what it says of a
// player, a name that it gives. A name without a letter or digit could be taken for the server's punctuation.
func reserved(name string) bool {
	for _, like := range looks(name) {
		if like == "" || slices.Contains(ownWords(), like) {
			return true
		}
		if slices.ContainsFunc(ownPhrases(), func(phrase string) bool { return strings.Contains(like, phrase) }) {
			return true
		}
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return significant(r) < 0 })
	return len(words) > 1 && (speaks(words) || invites(words) || isScore(words))
}

// speaks reports whether a name of several words holds one with which the server speaks to its reader or of a
// player, as in ">> You won", "bob is away", "perfect computer", begins like a name that the server gives, or like a
// hint: "press q". These words are their own skeletons.
func speaks(words []string) bool {
	given := func(like string) bool { return like == "guest" || like == "player" || like == "press" }
	spoken := func(like string) bool { return slices.Contains(spokenWords(), like) }
	return slices.ContainsFunc(looks(words[0]), given) ||
		slices.ContainsFunc(words, func(word string) bool { return slices.ContainsFunc(looks(word), spoken) })
}

// invites reports whether words ask their reader to follow a code, as in "join K7QX": its table would be a stranger's.
func invites(words []string) bool {
	isCode := func(text string) bool {
		return (len(text) == 4 || len(text) == 8) && strings.Trim(strings.ToUpper(text), match.CodeLetters) == ""
	}
	for i, word := range words[:len(words)-1] {
		asks := slices.ContainsFunc(looks(word), func(like string) bool { return slices.Contains(codeWords(), like) })
		if asks && (isCode(words[i+1]) || isCode(strings.Join(words[i+1:], ""))) {
			return true
		}
	}
	return false
}

// isScore reports whether words are numbers, as in "1-0".
func isScore(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return strings.Trim(word, "0123456789") != "" })
}

// codeWords are the skeletons of the words before a code.
var codeWords = sync.OnceValue(func() []string { return skeletons([]string{"join", "code", "type", "use"}) })

// ownWords are the skeletons of what the server calls players, says of them in one word, or could be called itself. They are made once:
// making one takes a few kilobytes.
var ownWords = sync.OnceValue(func() []string {
	words := []string{
		"you", "your opponent", "opponent", "nobody", "computer", "the computer", "server", "the server", "notakto", "guest", "player",
		"away", "dead", "draw", "winner", "loser", "Ctrl-C",
		"spectator", "spectators", "root", "support", "sysop",
	}
	words = append(words, offices()...)
	for _, level := range strategy.Levels() {
		words = append(words, level.String())
	}
	return skeletons(words)
})

// spokenWords are the skeletons of words of sentences and hints: beside another word they read like one.
var spokenWords = sync.OnceValue(func() []string {
	return skeletons(append(offices(), strings.Fields(
		"you your computer is has won wins winner lost lose loses loser draw dead "+
			"resign resigns resigned leave leaves left back away wait waits waiting watch watching "+
			"turn move moves wants rematch quit quits ctrl enter "+
			"forfeit forfeits forfeited ended disconnected server")...))
})

// offices are what those who run a server call themselves.
func offices() []string {
	return strings.Fields("admin admins administrator mod mods moderator moderators operator operators " +
		"staff sysadmin system official")
}

// ownPhrases are the skeletons of what the server tells a player, which nobody's name holds, as in "it's yourturn".
var ownPhrases = sync.OnceValue(func() []string {
	return skeletons([]string{"you won", "you win", "you lost", "you lose", "you move", "your move", "your turn",
		"game over", "gave up", "gives up", "timed out", "timeout", "press any", "hit any"})
})

func skeletons(words []string) []string {
	for i, word := range words {
		words[i] = skeleton(word)
	}
	return words
}
