package rules_test

import (
	"errors"
	"strings"
	"testing"

	"notakto/rules"
)

func TestGameNotation(t *testing.T) {
	for text, written := range map[string]string{
		"notakto/3: A5 B5 C1 A9":           "notakto/3: A5 B5 C1 A9",
		"notakto/3:":                       "notakto/3:",
		"notakto: a5":                      "notakto/3: A5",
		" NOTAKTO/1 :\t5  A1\n":            "notakto/1: A5 A1",
		"tictactoe: 5 1 9":                 "tictactoe: 5 1 9",
		"TicTacToe:A5":                     "tictactoe: 5",
		"notakto/2: A7 A8 A9 B1 B2 B3":     "notakto/2: A7 A8 A9 B1 B2 B3",
		"tictactoe: 5 1 7 3 2 8 4 6 9":     "tictactoe: 5 1 7 3 2 8 4 6 9",
		"notakto/9: A1 B1 C1 I9 H9 G9 F5":  "notakto/9: A1 B1 C1 I9 H9 G9 F5",
		"notakto/1: A7\u00a0A8\u2003\rA9 ": "notakto/1: A7 A8 A9",
	} {
		game, err := rules.ParseGame(text)
		if err != nil || game.String() != written {
			t.Errorf("ParseGame(%q) is written %q (%v), want %q", text, game, err, written)
			continue
		}
		if game.Position.Plies() != len(game.Moves) || game.Position.Variant() != game.Variant {
			t.Errorf("%s: %d moves, but the position is %v", text, len(game.Moves), game.Position)
		}
	}
}

func TestParseGameRefuses(t *testing.T) {
	for _, c := range []struct {
		text string
		want error
		says string
	}{
		{"", rules.ErrBadGame, ""},
		{"notakto/3 A5 B5", rules.ErrBadGame, ""},
		{"X......../.........", rules.ErrBadGame, ""},
		{": A5", rules.ErrBadVariant, ""},
		{"notakto/0: A5", rules.ErrBadVariant, ""},
		{"notakto/3: A5 55", rules.ErrBadMove, `move 2, "55"`},
		{"notakto/3: A5,B5", rules.ErrBadMove, "move 1"},
		{"notakto/3: A5 D5", rules.ErrNoSuchBoard, "move 2"},
		{"notakto/3: A5 B5 A0", rules.ErrNoSuchCell, "move 3"},
		{"notakto/3: A5 B5 a5", rules.ErrCellTaken, `move 3, "a5"`},
		{"notakto/2: A7 A8 A9 A1", rules.ErrBoardDead, "move 4"},
		{"notakto/1: 7 8 9 1", rules.ErrOver, "move 4"},
		{"tictactoe: 7 1 8 2 9 3", rules.ErrOver, "move 6"},
		{"tictactoe: B1", rules.ErrNoSuchBoard, "move 1"},
	} {
		game, err := rules.ParseGame(c.text)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || game.Variant.Valid() || game.Moves != nil {
			t.Errorf("ParseGame(%q) = %v, %v; want %v saying %q", c.text, game, err, c.want, c.says)
		}
	}
}
