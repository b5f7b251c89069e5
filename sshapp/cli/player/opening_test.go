package player_test

import (
	"strings"
	"testing"

	"notakto/sshapp/cli"
)

// The openings of a seed are promised, to the byte.
func TestOpenings(t *testing.T) {
	const json = `{"seed":"notakto","hash":"5d270d4b11bd995f31bdd5075c7b579c44f98e278d86f29bb74e601cfa0cad89",` +
		`"openings":["..XX..X../.X......./........./.........","........./..X....../........./....XX.X."]}` + "\n"
	const words = "Hash of the seed: 5d270d4b11bd995f31bdd5075c7b579c44f98e278d86f29bb74e601cfa0cad89\n" +
		"Opening of game 1: ..XX..X../.X......./........./.........\n" +
		"Opening of game 2: ........./..X....../........./....XX.X.\n"
	for want, flags := range map[string][]string{json: {"--json"}, words: nil} {
		got := locally(append([]string{"opening", "notakto"}, flags...)...)
		if got.status != cli.ExitOK || got.err != "" || got.out != want {
			t.Errorf("status %d, %s\n%swant\n%s", got.status, got.err, got.out, want)
		}
	}
}

func TestWhatIsNoSeed(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string
	}{
		{nil, "notakto opening takes one seed, in quotes if it has spaces, and got nothing"},
		{[]string{"two", "words"}, "and got 2 arguments"},
		{[]string{""}, "not a seed: it is empty"},
		{[]string{strings.Repeat("x", 129)}, "it has 129 bytes, and may have 128"},
		{[]string{"a\x1b[31mb"}, "not a seed: it has a control character"},
		{[]string{"a\nb"}, "control character"},
		{[]string{"\xff"}, "not UTF-8"},
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			words := append(append([]string{"opening"}, test.words...), more...)
			locally(words...).expect(t, strings.Join(words, " "), cli.ExitUsage, "", test.want)
		}
	}
}
