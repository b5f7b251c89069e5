package names

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"

	"notakto/internal/testkit"
)

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"alice":                      "alice",
		"":                           "",
		" \t ":                       "",
		"Jürgen":                     "Jürgen",
		"a\x1b[31mb":                 "a31mb",
		"line\nbreak\x00":            "linebreak",
		"abc\u202edef":               "abcdef",
		"zero\u200bwidth\ufeff":      "zerowidth",
		"\xff\xfebob":                "bob",
		"%s%d":                       "sd",
		"bob (you)":                  "bob you",
		"\u3164\u115f\uffa0\u2800":   "",
		"a│─╳b":                      "ab",
		"ｆｕｌｌ":                       "full",
		"z\u0317\u0317\u0317algo":    "zalgo",
		strings.Repeat("x", 200_000): strings.Repeat("x", maxNameWidth),
		strings.Repeat("漢", 40):      strings.Repeat("漢", maxNameWidth/2),
		strings.Repeat("\u1100", 80): "", // any number of these parts of a syllable join in one cell
		"two   words":                "two words",
		"alice#Xk3d":                 "aliceXk3d",
		"שלום bob":                   "",
		"مرحبا":                      "",
		"bob❨you❩⟮a⟯":                "bobyoua",
		"\u0430lice":                 "",       // a Cyrillic letter before Latin ones
		"ali\u0441e":                 "",       // a Cyrillic letter among Latin ones
		"Κώστας":                     "Κώστας", // Greek
		"漢字カナ":                       "漢字カナ",
		"佐々木ゆり":                      "佐々木ゆり",
		"ユーザー":                       "ユーザー",
		"김민준":                        "김민준",
		"\u1100\u1161":               "가", // composed
		"Анна-Мария":                 "Анна-Мария",
		"Արամ":                       "Արամ",
		"ნინო":                       "ნინო",
		"Nguyễn Văn Ơn":              "Nguyễn Văn Ơn",
		"O'Neil_2.0 & co+":           "O'Neil_2.0 & co+",
		"山田taro":                     "", // two alphabets
		"Hawaiʻi":                    "Hawaii",
		"b口b":                        "",
		"smile 😀\U0001f3f4":          "smile",
		"alice♯Xk3d":                 "aliceXk3d", // signs like the server's own
		"alice⌗Xk3d":                 "aliceXk3d",
		"[computer]":                 "computer",
		"al|ce!":                     "alce",
		"a∣iceǀ":                     "",
		"\U0001d159":                 "", // invisible signs and letters
		"\U00013441\U00013441":       "",
		"\u1112#\u1161":              "", // parts of a syllable that compose when the sign between them is dropped
		"०৩๐":                        "", // digits other than ASCII's
		"ʏᴏᴜ":                        "", // small capitals
		"ꓐꓳꓐ":                        "", // Lisu
		"ᎡᎪᎢ":                        "", // Cherokee
	} {
		testkit.Equal(t, cleanName(name), want, name)
	}
}

// A user name may have a domain, as in user@corp.com and DOMAIN\user.
func TestTheNameInALogin(t *testing.T) {
	for user, want := range map[string]string{
		"ann": "ann", "": "", "ann@corp.com": "ann", `CORP\ann`: "ann", `CORP\ann@corp.com`: "ann", "ann@": "ann",
		"@corp.com": "@corp.com", `CORP\`: "", "a@b@c": "a",
	} {
		testkit.Equal(t, LoginName(user), want, user)
	}
}

func FuzzCleanName(f *testing.F) {
	for _, seed := range []string{
		"bob", "\x1b]52;c;x\x07", "\u202eabc", "👩‍👩‍👧", "e\u0301", strings.Repeat("漢", 20),
		"\u1112#\u1161",
		"\U0001d159", "O'Neil & co",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := cleanName(name)
		if !utf8.ValidString(clean) || ansi.StringWidth(clean) > maxNameWidth || clean != strings.TrimSpace(clean) {
			t.Fatalf("%q became %q", name, clean)
		}
		if !norm.NFKC.IsNormalString(clean) {
			t.Fatalf("%q became %q, which is not normal", name, clean)
		}
		for _, r := range clean {
			if r != ' ' && !unicode.IsLetter(r) && (r > unicode.MaxASCII || !unicode.IsPrint(r)) ||
				strings.ContainsRune("#()[]{}<>|!:", r) {
				t.Fatalf("%q kept %U", name, r)
			}
			if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
				t.Fatalf("%q kept %U, which is written from right to left", name, r)
			}
		}
		if again := cleanName(clean); again != clean {
			t.Fatalf("%q became %q, and that became %q", name, clean, again)
		}
	})
}

// Dropping a mark or a sign makes new neighbours. A letter of a name must not change beside any other.
func TestLettersOfNamesStandForThemselves(t *testing.T) {
	scripts := []*unicode.RangeTable{
		unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian,
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Common,
	}
	letters := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if scriptOf(r) == nil || norm.NFKC.String(string(r)) != string(r) {
			continue // NFKC leaves no such letter
		}
		letters++
		properties := norm.NFKC.PropertiesString(string(r))
		if !unicode.In(r, scripts...) || !unicode.IsLetter(r) || !properties.BoundaryBefore() ||
			unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) {
			t.Errorf("%U %c is a letter of names", r, r)
		}
		one, two := string(r), string([]rune{r, r})
		for _, width := range []func(string) int{ansi.StringWidth, ansi.StringWidthWc} {
			if got := width(one); got < 1 || got > 2 || width(two) != 2*got {
				t.Errorf("%U %c is %d cells wide, and two of it %d", r, r, got, width(two))
			}
		}
	}
	if letters < 40_000 {
		t.Errorf("names have %d letters", letters)
	}
}
