package sshapp

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"

	"notakto/match"
	"notakto/rules/strategy"
)

// markLength is how many letters and digits of the fingerprint tell a player from another of a like name.
const markLength = 4

// TellApart is the player under a name that cannot be taken for the other's: with a mark from the player's fingerprint, if need be, such
// as "alice#Xk3d". Nobody can choose such a name.
func TellApart(p, other match.Player) match.Player {
	if p.ID == other.ID || p.Name == "" || skeleton(p.Name) != skeleton(other.Name) {
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

// reserved reports whether a name could be taken for the server's own words: a computer player, "You" or "Your turn", a name that the server
// gives.
func reserved(name string) bool {
	like := skeleton(name)
	if slices.Contains(ownWords(), like) || addressesYou(name) {
		return true
	}
	return strings.HasPrefix(like, skeleton("guest-")) || strings.HasPrefix(like, skeleton("player-"))
}

// addressesYou reports whether a name speaks to whoever reads it, as only the server does: "Your turn", ">> You won".
func addressesYou(name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSymbol(r) })
	return len(words) > 1 && slices.ContainsFunc(words, func(word string) bool {
		like := skeleton(word)
		return like == "you" || like == "your"
	})
}

// ownWords are the skeletons of what the server calls players. They are made once: making one takes a few kilobytes.
var ownWords = sync.OnceValue(func() (words []string) {
	for _, level := range strategy.Levels() {
		words = append(words, skeleton(level.String()))
	}
	for _, word := range []string{
		"you", "your opponent", "opponent", "nobody", "computer", "the computer", "server", "the server", "notakto", "guest", "player",
	} {
		words = append(words, skeleton(word))
	}
	return words
})

// oneForTwo are letters that are taken for one, or told apart by nobody.
var oneForTwo = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("rn", "m", "vv", "w", "cl", "d", " ", "", "_", "-")
})

// skeleton is the same for names that look alike: in upper or lower case, with or without accents, with a digit or a letter of another
// script in the place of a letter (the idea of Unicode's technical standard 39, section 4, for the letters that names are made of).
func skeleton(name string) string {
	var like strings.Builder
	for _, r := range norm.NFKD.String(name) {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			continue
		}
		if r = lookalike(r); r > unicode.MaxASCII { // in upper case some look like another letter than in lower case
			r = lookalike(unicode.ToLower(r))
		}
		like.WriteRune(lookalike(unicode.ToLower(r)))
	}
	return oneForTwo().Replace(like.String())
}

// lookalikes are the letters and digits that are taken for a Latin letter.
var lookalikes = [...]struct {
	letter rune
	like   string
}{
	{'-', "–—‐‑"},
	{'a', "ΑАаαɑ"},
	{'b', "ΒВвβ8"},
	{'c', "СϹсϲᴄ"},
	{'d', "ԁ"},
	{'e', "ΕЕеҽє"},
	{'g', "ɡ9"},
	{'h', "ΗНһհнʜ"},
	{'j', "Јјϳ"},
	{'k', "ΚКкκᴋ"},
	{'l', "ΙІӀ1i|!ıіιӏɩ׀"},
	{'m', "ΜМмᴍ"},
	{'n', "Νпηռ"},
	{'o', "ΟО0оοօσ"},
	{'p', "ΡРрρ"},
	{'q', "ԛգ"},
	{'s', "Ѕѕꜱ5$"},
	{'t', "ΤТтτᴛ"},
	{'u', "υսᴜ"},
	{'v', "νѵᴠ"},
	{'w', "ԝѡω"},
	{'x', "ΧХхχ"},
	{'y', "ΥУуүγʏ"},
	{'z', "Ζᴢ"},
}

func lookalike(r rune) rune {
	for _, group := range lookalikes {
		if strings.ContainsRune(group.like, r) {
			return group.letter
		}
	}
	return r
}
