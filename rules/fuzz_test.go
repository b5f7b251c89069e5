package rules_test

import (
	"errors"
	"slices"
	"testing"

	"notakto/rules"
)

func FuzzParseVariant(f *testing.F) {
	for _, name := range []string{"notakto", "notakto/3", "NOTAKTO/9", "tictactoe", "notakto/0", "nota\u212ato/3", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		v, err := rules.ParseVariant(name)
		if err != nil {
			if !errors.Is(err, rules.ErrBadVariant) || v.Valid() {
				t.Fatalf("ParseVariant(%q) = %v, %v", name, v, err)
			}
			return
		}
		if again, err := rules.ParseVariant(v.String()); err != nil || again != v || !v.Valid() {
			t.Fatalf("%q reads as %v, and that as %v, %v", name, v, again, err)
		}
		if len(name) > len("tictactoe") {
			t.Fatalf("%q is no variant's name", name)
		}
	})
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"A5", "b9", "5", "I1", "J1", "A0", "é", "", "\xc15"} {
		f.Add(uint8(2), text)
		f.Add(uint8(9), text)
	}
	f.Fuzz(func(t *testing.T, variant uint8, text string) {
		all := variants(t)
		v := all[int(variant)%len(all)]
		m, err := v.ParseMove(text)
		if err != nil {
			known := errors.Is(err, rules.ErrBadMove) || errors.Is(err, rules.ErrNoSuchBoard) ||
				errors.Is(err, rules.ErrNoSuchCell)
			if !known || m != (rules.Move{}) {
				t.Fatalf("%v: ParseMove(%q) = %v, %v", v, text, m, err)
			}
			return
		}
		if err := v.Start().Check(m); err != nil {
			t.Fatalf("%v: %q reads as %v, which cannot begin a game: %v", v, text, m, err)
		}
		for _, written := range []string{m.String(), v.FormatMove(m)} {
			if again, err := v.ParseMove(written); err != nil || again != m {
				t.Fatalf("%v: %q reads as %v, written %q, and that as %v, %v", v, text, m, written, again, err)
			}
		}
	})
}

func FuzzParsePosition(f *testing.F) {
	for _, text := range []string{
		".........", "X......../........./...X.....", "xo.......", "XXX....../XXX......", "XXXXXX...", "OOO......", "/", "é",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := rules.ParsePosition(text)
		if err != nil {
			if !errors.Is(err, rules.ErrBadPosition) || p != (rules.Position{}) {
				t.Fatalf("ParsePosition(%q) = %v, %v", text, p, err)
			}
			return
		}
		again, err := rules.ParsePosition(p.String())
		if err != nil || again != p || len(text) != len(p.String()) {
			t.Fatalf("%q reads as %v, and that as %v, %v", text, p, again, err)
		}
		if before, ok := unplay(p); !ok && p.Plies() > 0 {
			t.Fatalf("no move leads to %v", before)
		}
	})
}

// unplay finds a position from which one legal move leads to p.
func unplay(p rules.Position) (rules.Position, bool) {
	text := p.String()
	for i := range len(text) {
		if text[i] == '.' || text[i] == '/' {
			continue
		}
		before, err := rules.ParsePosition(text[:i] + "." + text[i+1:])
		if p.Variant().IsTicTacToe() && p.Plies() == 1 {
			before, err = p.Variant().Start(), nil
		}
		if err != nil {
			continue
		}
		cell := p.Variant().CellAt(i%10/3, i%10%3)
		if after, err := before.Play(rules.Move{Board: uint8(i / 10), Cell: cell}); err == nil && after == p {
			return before, true
		}
	}
	return p, false
}

func FuzzParseGame(f *testing.F) {
	for _, text := range []string{
		"notakto/3: A5 B5 C1 A9", "tictactoe: 5 1 9", "notakto/1: 7 8 9 1", "notakto:", ": ", "notakto/2: A5 A5",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		game, err := rules.ParseGame(text)
		if err != nil {
			known := []error{
				rules.ErrBadGame, rules.ErrBadVariant, rules.ErrBadMove, rules.ErrNoSuchBoard, rules.ErrNoSuchCell,
				rules.ErrBoardDead,
				rules.ErrCellTaken, rules.ErrOver,
			}
			if !slices.ContainsFunc(known, func(sentinel error) bool { return errors.Is(err, sentinel) }) || game.Moves != nil {
				t.Fatalf("ParseGame(%q) = %v, %v", text, game, err)
			}
			return
		}
		again, err := rules.ParseGame(game.String())
		if err != nil || again.Variant != game.Variant || again.Position != game.Position ||
			!slices.Equal(again.Moves, game.Moves) {
			t.Fatalf("%q reads as %v, and that as %v, %v", text, game, again, err)
		}
		if game.Position.Plies() != len(game.Moves) {
			t.Fatalf("%q has %d moves and %d plies", text, len(game.Moves), game.Position.Plies())
		}
	})
}
