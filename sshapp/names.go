package sshapp

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// maxNameWidth is the widest name that is shown, in cells.
const maxNameWidth = 16

// maxNameBytes bounds what is looked at of a name at all.
const maxNameBytes = 256

// markSign stands before the mark that tells two players of like names apart, so it stands in no name.
const markSign = '#'

// cleanName is a name that may be shown to others and logged: normalised, printable, in one script, without control, invisible or
// direction-changing characters, at most [maxNameWidth] cells wide. It may be empty.
func cleanName(name string) string {
	if len(name) > maxNameBytes {
		name = name[:maxNameBytes]
	}
	name = norm.NFKC.String(strings.ToValidUTF8(name, ""))
	name = oneScript(strings.Map(printable, name))
	name = strings.Join(strings.Fields(name), " ")
	return strings.TrimSpace(narrow(ansi.Truncate(name, maxNameWidth, "")))
}

// narrow is a name cut to the width also on a terminal that gives each character its own: some join any number of letters in one cell.
func narrow(name string) string {
	width := 0
	for i, r := range name {
		if width += max(1, ansi.StringWidthWc(string(r))); width > maxNameWidth {
			return name[:i]
		}
	}
	return name
}

// printable drops what is not a letter, digit, punctuation, symbol or plain space. Marks go too: stacked without end they would cover
// other lines. So do characters that show nothing, the lines that boards are drawn with, the parentheses in which the server speaks and
// what looks like them, and letters that are written from right to left: a terminal that reorders them moves what stands beside them as
// well, and one that does not shows them backwards.
func printable(r rune) rune {
	switch {
	case r == markSign, strings.ContainsRune("()\u2800\ufffc", r), r >= 0x2500 && r < 0x25a0:
		return -1
	case unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) && r > unicode.MaxASCII:
		return -1
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), leftward(r):
		return -1
	case r == ' ', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsPunct(r), unicode.IsSymbol(r):
		return r
	default:
		return -1
	}
}

// leftward reports whether r is written from right to left, or may change the order of what is beside it.
func leftward(r rune) bool {
	if unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko) {
		return true
	}
	properties, _ := bidi.LookupRune(r)
	switch properties.Class() {
	case bidi.R, bidi.AL, bidi.AN, bidi.LRO, bidi.RLO, bidi.LRE, bidi.RLE, bidi.PDF, bidi.LRI, bidi.RLI, bidi.FSI, bidi.PDI:
		return true
	}
	return false
}

// oneScript keeps the letters of the script of the first one, so that no name is pieced together from letters that look like those of
// another script. Chinese, Japanese and Korean are written in several, and with Latin letters among them.
func oneScript(name string) string {
	first := ""
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return r
		}
		script := scriptOf(r)
		if first == "" {
			first = script
		}
		if script != first {
			return -1
		}
		return r
	}, name)
}

// scriptOf names the script of a letter. Those that are written together count as one.
func scriptOf(r rune) string {
	if unicode.In(r, unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Common) {
		return "Latin"
	}
	for name, script := range unicode.Scripts {
		if unicode.Is(script, r) {
			return name
		}
	}
	return "unknown"
}

// nameOr is a name that a player chose, cleaned, or the fallback where nothing is left of it or it says what only the server says.
func nameOr(name, fallback string) string {
	if clean := cleanName(name); clean != "" && !reserved(clean) {
		return clean
	}
	return fallback
}
