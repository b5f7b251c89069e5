package rules_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
)

func TestParsePositionRefuses(t *testing.T) {
	const empty = "........."
	for _, c := range []struct{ text, says string }{
		{"", "board A needs 9 characters, not 0"},
		{empty + "/", "board B needs 9 characters, not 0"},
		{"......é.", "9 characters, not 8"},
		{"X...Y....", "'Y'"},
		{"........\xff", "takes X"},
		{empty + "/O........", "'O'"},
		{strings.Repeat(empty+"/", 9) + empty, "1 to 9 boards"},
		{strings.Repeat("/", 1_000_000), "1 to 9 boards"},
		{"XXXXXX...", "after it died"},
		{"........./XXX...XXX", "board B after it died"},
		{"OO.......", "noughts move first"},
		{"OOOXX...X", "after noughts had won"},
		{"XXXOO..OO", "after crosses had won"},
	} {
		p, err := rules.ParsePosition(c.text)
		if !errors.Is(err, rules.ErrBadPosition) || !strings.Contains(err.Error(), c.says) || p != (rules.Position{}) {
			t.Errorf("ParsePosition(%.99q) = %v, %v; want ErrBadPosition saying %q", c.text, p, err, c.says)
		}
	}
}

// A board stops at its first line. Exactly the reachable ones of the 512 patterns are valid.
func TestEveryBoardThatPlayComesToIsRead(t *testing.T) {
	reached := map[string]bool{}
	walk(notakto(t, 1).Start(), func(p rules.Position) { reached[p.String()] = true })
	live := 0
	for pattern := range 512 {
		text := boardText(pattern)
		p, err := rules.ParsePosition(text)
		if (err == nil) != reached[text] {
			t.Errorf("ParsePosition(%q) = %v, but reached by play is %v", text, err, reached[text])
		}
		lower, _ := rules.ParsePosition(strings.ToLower(text))
		if lower != p || int(p.Crosses(0)) != pattern && err == nil {
			t.Errorf("%q is %v in lower case, and has the crosses %o", text, lower, p.Crosses(0))
		}
		if err == nil && !p.IsDead(0) {
			live++
		}
	}
	if live != 230 {
		t.Errorf("%d live patterns, theory says 230", live)
	}
}

// Exactly the 5,478 reachable ones of the 19,683 ways to fill nine cells are tic-tac-toe.
func TestEveryTicTacToePositionThatPlayComesToIsRead(t *testing.T) {
	reached := map[string]bool{}
	walk(rules.TicTacToe().Start(), func(p rules.Position) { reached[p.String()] = true })
	testkit.Equal(t, len(reached), 5478)
	for code := range 19683 {
		text := []byte(".........")
		for i, rest := 0, code; i < 9; i, rest = i+1, rest/3 {
			text[i] = ".XO"[rest%3]
		}
		if !strings.Contains(string(text), "O") {
			continue // Notakto's
		}
		if p, err := rules.ParsePosition(string(text)); (err == nil) != reached[string(text)] ||
			err == nil && p.String() != string(text) {
			t.Errorf("ParsePosition(%q) = %v, %v, but reached by play is %v", text, p, err, reached[string(text)])
		}
	}
}

// walk visits every position reachable from p, once.
func walk(p rules.Position, visit func(rules.Position)) {
	seen := map[rules.Position]bool{}
	var from func(rules.Position)
	from = func(p rules.Position) {
		if seen[p] {
			return
		}
		seen[p] = true
		visit(p)
		for _, m := range p.LegalMoves() {
			next, err := p.Play(m)
			if err != nil {
				panic(err)
			}
			from(next)
		}
	}
	from(p)
}

// boardText returns the notation of one board with crosses at the set bits, the lowest one top left.
func boardText(pattern int) string {
	text := []byte(".........")
	for i := range text {
		if pattern>>i&1 == 1 {
			text[i] = 'X'
		}
	}
	return string(text)
}

func TestMoveNotation(t *testing.T) {
	one, three, ticTacToe := notakto(t, 1), notakto(t, 3), rules.TicTacToe()
	for _, c := range []struct {
		variant         rules.Variant
		text, formatted string
		want            rules.Move
		err             error
	}{
		{three, "c9", "C9", rules.Move{Board: 2, Cell: 9}, nil},
		{one, "7", "A7", rules.Move{Cell: 7}, nil},
		{ticTacToe, "A1", "1", rules.Move{Cell: 1}, nil},
		{three, "", "", rules.Move{}, rules.ErrBadMove},
		{three, "5", "", rules.Move{}, rules.ErrBadMove},
		{three, "A10", "", rules.Move{}, rules.ErrBadMove},
		{three, "é", "", rules.Move{}, rules.ErrBadMove},
		{three, "D5", "", rules.Move{}, rules.ErrNoSuchBoard},
		{three, "A0", "", rules.Move{}, rules.ErrNoSuchCell},
		{ticTacToe, "B5", "", rules.Move{}, rules.ErrNoSuchBoard},
		{rules.Variant{}, "A5", "", rules.Move{}, rules.ErrNoSuchBoard},
	} {
		got, err := c.variant.ParseMove(c.text)
		if !errors.Is(err, c.err) || got != c.want || err == nil && c.variant.FormatMove(got) != c.formatted {
			t.Errorf("%v: %q is %v (%v), written %q", c.variant, c.text, got, err, c.variant.FormatMove(got))
		}
	}
	// A client may send a move with any numbers. Formatting it, if only for an error, must not fail.
	m := rules.Move{Board: 200, Cell: 250}
	testkit.Equal(t, m.String(), "?250")
	testkit.Equal(t, ticTacToe.FormatMove(m), "250")
	testkit.Equal(t, rules.BoardName(-1), "?")
}

func TestGameNotation(t *testing.T) {
	for text, written := range map[string]string{
		"notakto/3:":                       "notakto/3:",
		"notakto: a5":                      "notakto/3: A5",
		" NOTAKTO/1 :\t5  A1\n":            "notakto/1: A5 A1",
		"TicTacToe:A5":                     "tictactoe: 5",
		"notakto/1: A7\u00a0A8\u2003\rA9 ": "notakto/1: A7 A8 A9",
	} {
		game, err := rules.ParseGame(text)
		if err != nil || game.String() != written {
			t.Errorf("ParseGame(%q) is written %q (%v), want %q", text, game, err, written)
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
		{": A5", rules.ErrBadVariant, ""},
		{"notakto/3: A5 55", rules.ErrBadMove, `move 2, "55"`},
		{"notakto/3: A5 D5", rules.ErrNoSuchBoard, "move 2"},
		{"notakto/3: A5 B5 A0", rules.ErrNoSuchCell, "move 3"},
		{"notakto/3: A5 B5 a5", rules.ErrCellTaken, `move 3, "a5"`},
		{"notakto/2: A7 A8 A9 A1", rules.ErrBoardDead, "move 4"},
		{"notakto/1: 7 8 9 1", rules.ErrOver, "move 4"},
	} {
		game, err := rules.ParseGame(c.text)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || game.Variant.IsValid() || game.Moves != nil {
			t.Errorf("ParseGame(%q) = %v, %v; want %v saying %q", c.text, game, err, c.want, c.says)
		}
	}
}

// The names of the variants, in any case of ASCII letters, and no others are read.
func FuzzParseVariant(f *testing.F) {
	names := map[string]rules.Variant{"notakto": notakto(f, 3)}
	for i, v := range variants(f) {
		names["notakto/"+strconv.Itoa(i+1)] = v
	}
	names["tictactoe"] = names["notakto/10"] // the last one of variants
	delete(names, "notakto/10")
	for name := range names {
		f.Add(name)
		f.Add(strings.ToUpper(name))
	}
	// The Kelvin sign and the dotted capital I are a k and an i to strings.ToLower.
	for _, name := range []string{
		"", "notakto/", "notakto/0", "notakto/10", "notakto/-1", "notakto3", "notakto/3 ", "tic-tac-toe",
		"nota\u212ato/3", "t\u0130ctactoe", "notakto/\xff",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		var want rules.Variant
		for known, v := range names {
			if len(name) == len(known) && strings.EqualFold(name, known) {
				want = v
			}
		}
		v, err := rules.ParseVariant(name)
		if v != want || v.IsValid() != (err == nil) || err != nil && !errors.Is(err, rules.ErrBadVariant) {
			t.Fatalf("ParseVariant(%q) = %v, %v, want %v", name, v, err, want)
		}
		if again, _ := rules.ParseVariant(v.String()); again != v {
			t.Fatalf("%q reads as %v, and that as %v", name, v, again)
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
	})
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
			if game.Moves != nil || game.Variant.IsValid() {
				t.Fatalf("ParseGame(%q) = %v, %v", text, game, err)
			}
			return
		}
		again, err := rules.ParseGame(game.String())
		if err != nil || again.Variant != game.Variant || again.Position != game.Position ||
			!slices.Equal(again.Moves, game.Moves) || game.Position.Plies() != len(game.Moves) {
			t.Fatalf("%q reads as %v, and that as %v, %v", text, game, again, err)
		}
	})
}
