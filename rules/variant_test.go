package rules_test

import (
	"errors"
	"strconv"
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
	names := map[string]bool{}
	for _, v := range variants(t) {
		got, err := rules.ParseVariant(v.String())
		if err != nil || got != v || !v.IsValid() {
			t.Errorf("ParseVariant(%q) = %v, %v", v, got, err)
		}
		names[v.String()] = true
	}
	if len(names) != 10 {
		t.Errorf("%d different names, want 10: %v", len(names), names)
	}
}

func TestVariantsAreTheirNamesAsText(t *testing.T) {
	for _, v := range []rules.Variant{rules.DefaultVariant(), rules.TicTacToe()} {
		text, err := v.MarshalText()
		if err != nil || string(text) != v.String() {
			t.Errorf("%s is written as %q, %v", v, text, err)
		}
		var read rules.Variant
		if err := read.UnmarshalText(text); err != nil || read != v {
			t.Errorf("%q is read as %v, %v", text, read, err)
		}
	}
	if err := new(rules.Variant).UnmarshalText([]byte("chess")); !errors.Is(err, rules.ErrBadVariant) {
		t.Errorf("chess is read: %v", err)
	}
}

func TestParseVariant(t *testing.T) {
	for name, want := range map[string]rules.Variant{
		"notakto":   notakto(t, 3),
		"notakto/1": notakto(t, 1),
		"NOTAKTO/9": notakto(t, 9),
		"tictactoe": rules.TicTacToe(),
		"TicTacToe": rules.TicTacToe(),
	} {
		if got, err := rules.ParseVariant(name); err != nil || got != want {
			t.Errorf("ParseVariant(%q) = %v, %v; want %v", name, got, err, want)
		}
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
}

func TestNotaktoIsPlayedOnOneToNineBoards(t *testing.T) {
	for _, boards := range []int{-1, 0, 10, 257} {
		if v, err := rules.Notakto(boards); !errors.Is(err, rules.ErrBadVariant) || v.IsValid() {
			t.Errorf("Notakto(%d) = %v, %v; want ErrBadVariant", boards, v, err)
		}
	}
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		v := notakto(t, boards)
		if v.Boards() != boards || v.IsTicTacToe() || v.String() != "notakto/"+strconv.Itoa(boards) {
			t.Errorf("Notakto(%d) is %v with %d boards", boards, v, v.Boards())
		}
	}
	if v := rules.DefaultVariant(); v != notakto(t, rules.DefaultBoards) {
		t.Errorf("the default is %v", v)
	}
}
