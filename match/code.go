package match

import "strings"

// Code is characters from an alphabet without look-alikes: four characters admit a player to a private table, eight let
// a guest resume a seat.
type Code string

// CodeLetters are the characters of codes. Of each group that is easily confused in print, speech or handwriting (0 O
// D, 1 I L, 2 Z, 5 S, 6 G C, 8 B, U V, M N and so on) it has one. It has no vowels, so that no code is a word.
const CodeLetters = CodeInitials + "3479"

// CodeInitials are the characters that a code begins with: no digit, which means something else on the screen where
// codes are typed.
const CodeInitials = "CFHJKMPQRTVWXY"

// Normalize returns c as it was generated: in upper case, without spaces and hyphens, with which a long code may have
// been written down.
func (c Code) Normalize() Code {
	return Code(strings.ToUpper(strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "", "-", "").Replace(string(c))))
}
