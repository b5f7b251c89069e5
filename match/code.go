package match

import "strings"

// Code is characters from an alphabet without look-alikes: four that lead to a private table, to be read out, or
// eight that lead a guest back to a seat.
type Code string

// CodeLetters are the characters of codes: one of each group that is mistaken for another when read, heard or written
// by hand (0 O D, 1 I L, 2 Z, 5 S, 6 G C, 8 B, U V, M N and so on), and no vowels, so that no code is a word.
const CodeLetters = "CFHJKMPQRTVWXY3479"

// Normalize is c as it was drawn: in upper case, without space around it.
func (c Code) Normalize() Code { return Code(strings.ToUpper(strings.TrimSpace(string(c)))) }
