package match

import "testing"

// A code is written down in groups and with small letters, and is still the same.
func TestCodesAreNormalized(t *testing.T) {
	for typed, want := range map[Code]Code{
		"fhpy-cr3p": "FHPYCR3P", " k 7 q x\n": "K7QX", "K7QX": "K7QX", "-": "", "K7Q?": "K7Q?",
	} {
		if got := typed.Normalize(); got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}
