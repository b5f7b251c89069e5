package names

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"notakto/match"
	"notakto/rules/strategy"
)

// A mark has markLength letters and digits of the player's identifier, or up to maxMarkLength if two marks look
// alike.
const (
	markLength    = 4
	maxMarkLength = 12
)

// NewNamer returns a function that names a player p at a table with other. A claimed name comes from nameOf. A name
// that another player has claimed, by claimedBy and [Looks], gets a mark. Two names at a table never look alike.
// Naming a player twice gives the first result again.
func NewNamer(nameOf func(match.PlayerID) string, claimedBy func(looks []string) match.PlayerID) func(p,
	other match.Player) match.Player {
	current := func(p match.Player) match.Player {
		if p.IsComputer() || p.Name == "" {
			return p
		}
		if name := nameOf(p.ID); name != "" {
			p.Name = name
			return p
		}
		if owner := claimedBy(Looks(p.Name)); owner != "" && owner != p.ID {
			return withMark(p, markLength)
		}
		return p
	}
	return func(p, other match.Player) match.Player { return Disambiguate(current(p), current(other)) }
}

// Disambiguate returns p under a name that readers cannot confuse with the name of other. If necessary, Disambiguate
// adds a mark from p's identifier, as in "alice#k3dx". No player can choose such a name.
func Disambiguate(p, other match.Player) match.Player {
	if p.ID == other.ID || p.Name == "" || !areConfusable(p.Name, other.Name) {
		return p
	}
	length := markLength
	for length < maxMarkLength && areConfusable(mark(p.ID, length), mark(other.ID, length)) {
		length++
	}
	return withMark(p, length)
}

// withMark returns p with a mark of length letters and digits behind the name.
func withMark(p match.Player, length int) match.Player {
	suffix := string(MarkSign) + mark(p.ID, length)
	p.Name = ansi.Truncate(p.Name, maxNameWidth-len(suffix), "") + suffix
	return p
}

// mark returns the first length letters and digits of an account's identifier, or of a guest's number.
func mark(id match.PlayerID, length int) string {
	digits := strings.TrimPrefix(string(id), "guest:")
	alphanumeric := func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}
	digits = strings.Map(alphanumeric, digits)
	return digits[:min(len(digits), length)]
}

// isReserved reports whether readers could take a name for the server's own text. Reserved are
//   - a computer player, "You", "Your turn" and statements about a player,
//   - names that the server gives, and offices,
//   - the players or the score of a match,
//   - codes and names of hosts,
//   - a name without a letter or digit, because it looks like punctuation of the server.
func isReserved(name string) bool {
	for _, like := range skeletonsOf(name) {
		if like == "" || slices.Contains(reservedWords(), like) || slices.Contains(givenWords(), like) {
			return true
		}
		if slices.ContainsFunc(reservedPhrases(), func(phrase string) bool { return strings.Contains(like, phrase) }) {
			return true
		}
	}
	if matchesAny(name, reservedWords()) || matchesAny(name, officeWords()) ||
		slices.ContainsFunc(strings.Fields(name), isHostOrDash) {
		return true
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return keepSignificant(r) < 0 })
	return hasCode(words) || len(words) > 1 && (impersonatesServer(words) || isInvitation(words) || isScore(words))
}

const decimals = "0123456789"

// matchesAny reports whether text has one of the skeletons all, with or without the digits around it, as in "admin1".
func matchesAny(text string, all []string) bool {
	forms := skeletonsOf(text)
	if bare := strings.Trim(text, decimals); bare != text {
		forms = append(forms, skeletonsOf(bare)...)
	}
	return slices.ContainsFunc(forms, func(like string) bool { return slices.Contains(all, like) })
}

// isHostOrDash reports whether a part of a name is the name of a host, or a dash as between two players.
func isHostOrDash(part string) bool {
	end := strings.LastIndexByte(strings.TrimRight(part, decimals+nameSigns), '.') // a port may follow
	domain := strings.ToLower(strings.Trim(part[end+1:], decimals+nameSigns))
	return end > 0 && slices.Contains(domains(), domain) || strings.Trim(part, nameSigns) == ""
}

// impersonatesServer reports whether a name of several words reads like the server's text. Examples are ">> You won",
// "bob is away" and "perfect computer", a name that begins like one that the server gives, and a hint such as "press
// q".
func impersonatesServer(words []string) bool {
	isGivenWord := func(like string) bool {
		return like == "guest" || like == "player" || like == "press" || like == "type" // each word is its own skeleton
	}
	isReserved := func(word string) bool { return matchesAny(word, reservedInPhrase()) }
	return slices.ContainsFunc(skeletonsOf(words[0]), isGivenWord) || slices.ContainsFunc(words, isReserved)
}

// isCode reports whether text could be the code of a table or of a guest's seat.
func isCode(text string) bool {
	isLong := len(text) == 4 || len(text) == 6 || len(text) == 8 // older versions made codes of four characters
	return isLong && strings.Trim(strings.ToUpper(text), match.CodeLetters) == ""
}

// hasCode reports whether a word, or all words joined, could be a code. A code without a digit counts as a word.
func hasCode(words []string) bool {
	return slices.ContainsFunc(append(words, strings.Join(words, "")), func(text string) bool {
		return isCode(text) && strings.ContainsAny(text, decimals)
	})
}

// isInvitation reports whether words ask their reader to follow a code without a digit, as in "join KTQX". The code
// could lead to the table of a stranger.
func isInvitation(words []string) bool {
	for i, word := range words[:len(words)-1] {
		asks := slices.ContainsFunc(skeletonsOf(word), func(like string) bool {
			return slices.Contains(codeWords(), like)
		})
		if asks && (isCode(words[i+1]) || isCode(strings.Join(words[i+1:], ""))) {
			return true
		}
	}
	return false
}

// isScore reports whether words are numbers, as in "1-0".
func isScore(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return strings.Trim(word, decimals) != "" })
}

// codeWords has the skeletons of words before a code. Word lists are made once, because making a skeleton
// takes a few kilobytes.
var codeWords = sync.OnceValue(func() []string {
	return skeletons(strings.Fields("join code type use try go table play private enter"))
})

// reservedWords has the skeletons of words that the server uses for players or about them, or that could name the
// server.
var reservedWords = sync.OnceValue(func() []string {
	words := []string{
		"you", "your opponent", "opponent", "nobody", "computer", "the computer", "server", "the server", "notakto",
		"away", "dead", "draw", "winner", "loser", "Ctrl-C", "spectator", "spectators",
		"ended", "abandoned", "forfeit", "forfeits", "forfeited", "resign", "resigns", "resigned", "disconnected",
	}
	for _, level := range strategy.Levels() {
		words = append(words, level.String())
	}
	return skeletons(words)
})

// givenWords has the skeletons of the words that begin names from the server. "player1" is allowed.
var givenWords = sync.OnceValue(func() []string { return skeletons([]string{"guest", "player"}) })

// reservedInPhrase has the skeletons of words that read like a sentence or a hint beside another word.
var reservedInPhrase = sync.OnceValue(func() []string {
	return skeletons(append(offices(), strings.Fields(
		"you your computer is has won wins winner lost lose loses loser draw dead "+
			"resign resigns resigned leave leaves left back away wait waits waiting watch watching "+
			"turn move moves wants rematch quit quits ctrl enter "+
			"forfeit forfeits forfeited ended abandoned disconnected server vs versus turno "+
			"ssh telnet http https www")...))
})

// offices returns words for people that run a server, in the languages of many players.
func offices() []string {
	return strings.Fields("admin admins administrator mod mods moderator moderators operator operators " +
		"staff sysadmin system official helpdesk superadmin gamemaster referee " +
		"админ администратор модер модератор " +
		"оператор поддержка administrador moderador operador soporte suporte " +
		"administrateur modérateur opérateur")
}

// officeWords has the skeletons of offices, with offices that are surnames too. Beside another name a surname is
// allowed, as in "joe root".
var officeWords = sync.OnceValue(func() []string {
	return skeletons(append(offices(), "root", "support", "sysop", "helpdesk", "superadmin", "gamemaster", "referee"))
})

// reservedPhrases has the skeletons of phrases that no name may contain, as "it's yourturn" does. Among the phrases
// are "your turn" in other languages, and offices in languages written without spaces.
var reservedPhrases = sync.OnceValue(func() []string {
	return skeletons([]string{"you won", "you win", "you lost", "you lose", "you move", "your move", "your turn",
		"game over", "match over", "notakto support", "notakto team", "notakto bot", "support team", "gave up",
		"gives up", "timed out", "timeout", "press any", "hit any",
		"твой ход", "ваш ход", "te toca", "dein zug", "ihr zug", "du bist dran", "ton tour",
		"votre tour", "à toi de jouer",
		"轮到你", "輪到你", "该你了", "該你了", "你的回合", "あなたの番", "君の番",
		"管理员", "管理員", "管理者", "版主", "客服", "運営",
		"官方", "系统", "관리자", "운영자"})
})

// domains returns the last parts of most host names.
func domains() []string {
	return strings.Fields("com net org info biz io dev app xyz me co sh gg tv online site top " +
		"ru рф cn de uk fr jp eu us nl br in")
}

func skeletons(words []string) []string {
	for i, word := range words {
		words[i] = skeleton(word)
	}
	return words
}
