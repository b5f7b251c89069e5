package names

import (
	"strings"
	"sync"
	"unicode"

	"go.mau.fi/util/confusable"
)

// areConfusable reports whether two names could be taken for each other. Punctuation, spaces and the case of letters do
// not tell them apart.
func areConfusable(one, other string) bool {
	a, b := skeletonsOf(one), skeletonsOf(other)
	for i := range a {
		if a[i] == b[i] {
			return true
		}
	}
	return false
}

// Looks returns what a name looks like: two names that share one of these could be taken for each other.
func Looks(name string) []string {
	looks := skeletonsOf(name)
	for i, prefix := range [...]string{"", "^"} { // no skeleton has such a sign
		looks[i] = prefix + looks[i]
	}
	return looks
}

// skeletonsOf are the skeletons of a name as it is written and in upper case: case does not tell names apart, and what
// a small letter skeletonsOf like in another script is often not what the large one does.
func skeletonsOf(name string) []string {
	return []string{skeleton(name), skeleton(strings.ToUpper(name))}
}

// skeleton is the same for names that look alike: that of Unicode's technical standard 39, section 4, of the letters
// and digits only, without accents and without regard to the case of what the letters look like. It takes two rounds,
// as the small form of what a letter skeletonsOf like may look like yet another one: Ш like ш like w.
func skeleton(name string) string {
	like := strings.Map(significant, name)
	for range 2 {
		like = strings.ToLower(confusable.Skeleton(like))
	}
	return oneForTwo().Replace(strings.Map(foldConfusable, like))
}

// significant drops what is no letter or digit. Small kana become large ones, as in upper case: they are the ones
// before them in Unicode.
func significant(r rune) rune {
	switch {
	case r >= 'ぁ' && strings.ContainsRune("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ", r):
		return r + 1
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return r
	default:
		return -1
	}
}

// oneForTwo are letters that are taken for one.
var oneForTwo = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("rn", "m", "vv", "w", "cl", "d")
})

// extraConfusables are what letters of a skeleton are taken for as well: the standard knows what looks the same in a
// font, not what is read for it. Among its own are small capitals, which it leaves alone.
var extraConfusables = [...]struct {
	letter rune
	like   string
}{
	{'b', "ʙßƅ8"},
	{'d', "∂"},
	{'e', "əǝꞓ"},
	{'g', "9"},
	{'h', "ʜ"},
	{'j', "ȷ"},
	{'k', "ĸ"},
	{'l', "iլ"},
	{'m', "ʍ"},
	{'n', "π"},
	{'s', "5"},
	{'t', "ᴛ"},
	{'u', "μ"},
	{'w', "ω"},
	{'x', "χ"},
	{'y', "γ"},
	{'3', "ȝɜ"},
	{'り', "リ"},
	{'人', "入"},
	{'千', "干"},
	{'己', "已巳"},
	{'日', "曰"},
	{'未', "末"},
}

// foldConfusable is what a letter of a skeleton is taken for. Accents are dropped, also the one beside a letter in what
// a hard sign looks like.
func foldConfusable(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z' && r != 'i':
		return r // as nearly all are
	case unicode.Is(unicode.M, r), r == 'ˉ':
		return -1
	}
	for _, group := range extraConfusables {
		if strings.ContainsRune(group.like, r) {
			return group.letter
		}
	}
	return r
}
