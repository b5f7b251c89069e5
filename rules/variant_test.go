package rules_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"notakto/rules"
)

// notakto returns the variant on the given number of boards.
func notakto(t testing.TB, boards int) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(boards)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// variants returns all games, Notakto on one to nine boards and then tic-tac-toe.
func variants(t testing.TB) []rules.Variant {
	t.Helper()
	var all []rules.Variant
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		all = append(all, notakto(t, boards))
	}
	return append(all, rules.TicTacToe())
}

func TestEveryVariantIsReadBackFromItsName(t *testing.T) {
	for i, v := range variants(t) {
		name, boards := "notakto/"+strconv.Itoa(i+1), i+1
		if v.IsTicTacToe() {
			name, boards = "tictactoe", 1
		}
		text, err := v.MarshalText()
		if err != nil || v.String() != name || string(text) != name || v.Boards() != boards || !v.IsValid() {
			t.Errorf("%s is named %v, written %q, and has %d boards, %v", name, v, text, v.Boards(), err)
		}
		for _, text := range []string{name, strings.ToUpper(name)} {
			var read rules.Variant
			if err := read.UnmarshalText([]byte(text)); err != nil || read != v {
				t.Errorf("%q is read as %v, %v", text, read, err)
			}
		}
	}
	if v, err := rules.ParseVariant("notakto"); err != nil || v != notakto(t, 3) || v != rules.DefaultVariant() {
		t.Errorf("without a number it is %v, %v", v, err)
	}
}

// The Kelvin sign and the dotted capital I are a k and an i to strings.ToLower.
func TestParseVariantRefuses(t *testing.T) {
	for _, name := range []string{
		"", "notakto/", "notakto/0", "notakto/10", "notakto/-1", "notakto/x", "notakto3", "notakto/3 ", " notakto",
		"tictactoe/1",
		"tic-tac-toe", "nota\u212ato/3", "t\u0130ctactoe", "notakto/\xff", "chess",
	} {
		if got, err := rules.ParseVariant(name); !errors.Is(err, rules.ErrBadVariant) || got.IsValid() {
			t.Errorf("ParseVariant(%q) = %v, %v; want ErrBadVariant", name, got, err)
		}
	}
	for _, boards := range []int{-1, 0, 10, 257} {
		if v, err := rules.Notakto(boards); !errors.Is(err, rules.ErrBadVariant) || v.IsValid() {
			t.Errorf("Notakto(%d) = %v, %v; want ErrBadVariant", boards, v, err)
		}
	}
}
