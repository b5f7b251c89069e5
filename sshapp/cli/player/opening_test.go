package player_test

import "testing"

// The openings of a seed are promised, to the byte.
func TestOpenings(t *testing.T) {
	locally("opening", "notakto", "--json").prints(t, `{"seed":"notakto",`+
		`"hash":"5d270d4b11bd995f31bdd5075c7b579c44f98e278d86f29bb74e601cfa0cad89",`+
		`"openings":["..XX..X../.X......./........./.........","........./..X....../........./....XX.X."]}`+"\n")
	locally("opening", "notakto").prints(t,
		"Hash of the seed: 5d270d4b11bd995f31bdd5075c7b579c44f98e278d86f29bb74e601cfa0cad89\n"+
			"Opening of game 1: ..XX..X../.X......./........./.........\n"+
			"Opening of game 2: ........./..X....../........./....XX.X.\n")
	locally("opening").fails(t, 2, "notakto opening takes one seed, in quotes if it has spaces, and got nothing")
	locally("opening", "two", "words").fails(t, 2, "and got 2 arguments")
	locally("opening", "a\x1b[31mb", "--json").fails(t, 2, "not a seed: it has a control character")
}
