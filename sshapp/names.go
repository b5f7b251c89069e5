package sshapp

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"
)

// maxNameWidth is the widest name that is shown, in cells.
const maxNameWidth = 16

// maxNameBytes bounds what is looked at of a name at all.
const maxNameBytes = 256

// cleanName is a name that may be shown to others and logged: normalised, printable, without control, invisible or direction-changing
// characters, at most [maxNameWidth] cells wide. It may be empty.
func cleanName(name string) string {
	if len(name) > maxNameBytes {
		name = name[:maxNameBytes]
	}
	name = norm.NFKC.String(strings.ToValidUTF8(name, ""))
	name = strings.Map(printable, name)
	name = strings.Join(strings.Fields(name), " ")
	return strings.TrimSpace(ansi.Truncate(name, maxNameWidth, ""))
}

// printable drops what is not a letter, digit, punctuation, symbol or plain space. Marks go too: stacked without end they would cover
// other lines. So do characters that show nothing, the lines that boards are drawn with, and the parentheses in which the server speaks.
func printable(r rune) rune {
	switch {
	case strings.ContainsRune("()\u2800\ufffc", r), r >= 0x2500 && r < 0x25a0, unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return -1
	case r == ' ', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsPunct(r), unicode.IsSymbol(r):
		return r
	default:
		return -1
	}
}

func nameOr(name, fallback string) string {
	if clean := cleanName(name); clean != "" {
		return clean
	}
	return fallback
}
