package sshapp

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"alice":                      "alice",
		"":                           "",
		" \t ":                       "",
		"Jürgen":                     "Jürgen",
		"a\x1b[31mb":                 "a[31mb",
		"line\nbreak\x00":            "linebreak",
		"abc\u202edef":               "abcdef",
		"zero\u200bwidth\ufeff":      "zerowidth",
		"\xff\xfebob":                "bob",
		"%s%d":                       "%s%d",
		"bob (you)":                  "bob you",
		"\u3164\u115f\uffa0\u2800":   "",
		"a│─╳b":                      "ab",
		"ｆｕｌｌ":                       "full",
		"z\u0317\u0317\u0317algo":    "zalgo",
		strings.Repeat("x", 200_000): strings.Repeat("x", maxNameWidth),
		strings.Repeat("漢", 40):      strings.Repeat("漢", maxNameWidth/2),
		strings.Repeat("\u1100", 80): strings.Repeat("\u1100", maxNameWidth/2), // one cluster of two cells
		"two   words":                "two words",
		"alice#Xk3d":                 "aliceXk3d",
		"שלום bob":                   "bob",
		"مرحبا":                      "",
		"bob❨you❩⟮a⟯":                "bobyoua",
		"\u0430lice":                 "\u0430", // a Cyrillic letter before Latin ones
		"ali\u0441e":                 "alie",   // and among them
		"Κώστας":                     "Κώστας", // Greek
		"漢字カナ":                       "漢字カナ",
	} {
		if got := cleanName(name); got != want {
			t.Errorf("%.30q became %q, want %q", name, got, want)
		}
	}
}

func FuzzCleanName(f *testing.F) {
	for _, seed := range []string{"bob", "\x1b]52;c;x\x07", "\u202eabc", "👩‍👩‍👧", "e\u0301", strings.Repeat("漢", 20)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := cleanName(name)
		if !utf8.ValidString(clean) || ansi.StringWidth(clean) > maxNameWidth || clean != strings.TrimSpace(clean) {
			t.Fatalf("%q became %q", name, clean)
		}
		for _, r := range clean {
			if unicode.In(r, unicode.C, unicode.Mn, unicode.Me, unicode.Zl, unicode.Zp, unicode.Hebrew, unicode.Arabic) || strings.ContainsRune("#()", r) {
				t.Fatalf("%q kept %U", name, r)
			}
		}
		if again := cleanName(clean); again != clean {
			t.Fatalf("%q became %q, and that became %q", name, clean, again)
		}
	})
}
