package names

import (
	"strings"
	"sync"
	"unicode"

	"go.mau.fi/util/confusable"
)

// areConfusable reports whether readers could confuse two names. Punctuation, spaces and case do not tell names
// apart.
func areConfusable(one, other string) bool {
	a, b := skeletonsOf(one), skeletonsOf(other)
	for i := range a {
		if a[i] == b[i] {
			return true
		}
	}
	return false
}

// Looks returns keys for comparing names. Readers could confuse two names with a common key.
func Looks(name string) []string {
	looks := skeletonsOf(name)
	for i, prefix := range [...]string{"", "^"} { // no skeleton contains ^
		looks[i] = prefix + looks[i]
	}
	return looks
}

// skeletonsOf returns the skeletons of name as written and in upper case. A small letter and its capital often look
// like different letters of another script.
func skeletonsOf(name string) []string {
	return []string{skeleton(name), skeleton(strings.ToUpper(name))}
}

// skeleton returns one text for all names that look alike. The text is the skeleton of Unicode TS 39, section 4, of
// letters and digits in lower case without accents. Folding runs twice, because the lower case of a look-alike can
// have a look-alike of its own (Ш, ш, w).
func skeleton(name string) string {
	like := strings.Map(keepSignificant, name)
	for range 2 {
		like = strings.ToLower(confusable.Skeleton(like))
	}
	return letterPairs().Replace(strings.Map(foldConfusable, like))
}

// keepSignificant drops all characters but letters and digits. Small kana become large ones, as in upper case. In
// Unicode each small kana stands before its large one.
func keepSignificant(r rune) rune {
	switch {
	case r >= 'ぁ' && strings.ContainsRune("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ", r):
		return r + 1
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return r
	default:
		return -1
	}
}

// letterPairs replaces pairs of letters that look like one letter.
var letterPairs = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("rn", "m", "vv", "w", "cl", "d")
})

// extraConfusables adds look-alikes that Unicode's table lacks, such as small capitals, and letters that readers take
// for another one though fonts draw them differently.
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

// foldConfusable returns the letter that readers see in a letter of a skeleton. Accents are dropped, and the macron
// in the skeleton of a hard sign.
func foldConfusable(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z' && r != 'i':
		return r
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

// scripts has the letters that may stand in names. An allow list needs no list of invisible characters and imitations
// of letters. Unicode's technical standard 39 recommends the letters for identifiers. Letters of phonetics and old
// books are left out. The scripts are in everyday use and meet two conditions.
//   - Text runs from left to right. A terminal that reorders letters also moves the text beside them. Other terminals
//     show the letters backwards.
//   - Names are readable without combining marks. All marks are dropped, because stacks of marks could cover other
//     lines. Without its vowels, a name in Thai or Hindi is another name.
//
// Chinese, Japanese and Korean use several scripts each, and count as one alphabet.
var scripts = [...]*unicode.RangeTable{
	{R16: []unicode.Range16{ // Latin
		{'A', 'Z', 1}, {'a', 'z', 1}, {0x00c0, 0x00d6, 1}, {0x00d8, 0x00f6, 1}, {0x00f8, 0x0131, 1},
		{0x0134, 0x013e, 1}, {0x0141, 0x0148, 1}, {0x014a, 0x017e, 1}, {0x018f, 0x018f, 1}, {0x01a0, 0x01a1, 1},
		{0x01af, 0x01b0, 1}, {0x01cd, 0x01dc, 1}, {0x01de, 0x01e3, 1}, {0x01e6, 0x01f0, 1}, {0x01f4, 0x01f5, 1},
		{0x01f8, 0x021b, 1}, {0x021e, 0x021f, 1}, {0x0226, 0x0233, 1}, {0x0259, 0x0259, 1}, {0x1e00, 0x1e99, 1},
		{0x1e9e, 0x1e9e, 1}, {0x1ea0, 0x1ef9, 1},
	}},
	{R16: []unicode.Range16{ // Greek
		{0x0386, 0x0386, 1}, {0x0388, 0x038a, 1}, {0x038c, 0x038c, 1}, {0x038e, 0x03a1, 1}, {0x03a3, 0x03ce, 1},
		{0x1f00, 0x1f15, 1}, {0x1f18, 0x1f1d, 1}, {0x1f20, 0x1f45, 1}, {0x1f48, 0x1f4d, 1}, {0x1f50, 0x1f57, 1},
		{0x1f59, 0x1f5f, 2}, {0x1f60, 0x1f7d, 1}, {0x1f80, 0x1fb4, 1}, {0x1fb6, 0x1fbc, 1}, {0x1fc2, 0x1fc4, 1},
		{0x1fc6, 0x1fcc, 1}, {0x1fd0, 0x1fd3, 1}, {0x1fd6, 0x1fdb, 1}, {0x1fe0, 0x1fec, 1}, {0x1ff2, 0x1ff4, 1},
		{0x1ff6, 0x1ffc, 1},
	}},
	{R16: []unicode.Range16{{0x0400, 0x045f, 1}, {0x048a, 0x04ff, 1}}}, // Cyrillic
	{R16: []unicode.Range16{{0x0531, 0x0556, 1}, {0x0561, 0x0586, 1}}}, // Armenian
	{R16: []unicode.Range16{{0x10d0, 0x10f0, 1}}},                      // Georgian
	{R16: []unicode.Range16{ // Han, Hiragana, Katakana and Hangul
		{'々', '々', 1}, {0x3041, 0x3096, 1}, {0x30a1, 0x30fa, 1}, {'ー', 'ー', 1}, {0x3400, 0x4dbf, 1},
		{0x4e00, 0x9fff, 1}, {0xac00, 0xd7a3, 1},
	}},
}

// scriptOf returns the alphabet of a letter, or nil for a character that is dropped.
func scriptOf(r rune) *unicode.RangeTable {
	for _, letters := range scripts {
		if unicode.Is(letters, r) {
			return letters
		}
	}
	return nil
}

// keepOneScript drops all characters but letters of scripts, ASCII digits and nameSigns. For letters of several
// alphabets it returns "", because such a name could imitate another one, and a part of it would be no name.
func keepOneScript(name string) string {
	var first *unicode.RangeTable
	isMixed := false
	name = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || strings.ContainsRune(nameSigns, r) {
			return r
		}
		letters := scriptOf(r)
		if first == nil {
			first = letters
		}
		if unicode.IsLetter(r) && !unicode.Is(unicode.Lm, r) { // a modifier such as an apostrophe belongs to any script
			isMixed = isMixed || letters == nil || letters != first
		}
		if letters == nil {
			return -1
		}
		return r
	}, name)
	if isMixed {
		return ""
	}
	return name
}
