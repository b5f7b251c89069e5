package match

import "testing"

func TestCodesAreNormalized(t *testing.T) {
	for typed, want := range map[Code]Code{
		"fhpy-cr3p": "FHPYCR3P", " k 7 q x\n": "K7QX", "K7QX": "K7QX", "-": "", "K7Q?": "K7Q?",
		"X7HW.": "X7HW", "#X7HW": "X7HW", "\u201cX7HW\u201d!": "X7HW", "Ｘ７ｈｗ": "X7HW", "x7\u00a0hw": "X7HW", "\u2013": "",
	} {
		if got := typed.Normalize(); got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}
