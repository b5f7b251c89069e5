package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/sshapp/command"
)

// The JSON of an analysis is a promise, to the byte.
func TestAnalysesInJSON(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join("testdata", "analyses.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(golden), "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		words := append([]string{"analyse", "--json"}, strings.Fields(lines[i])...)
		got := locally(words...)
		if got.status != command.ExitOK || got.err != "" || got.out != lines[i+1]+"\n" {
			t.Errorf("analyse %s: status %d, %s\n%swant\n%s", lines[i], got.status, got.err, got.out, lines[i+1])
		}
		if joined := locally("analyse", lines[i], "--json"); joined.out != got.out {
			t.Errorf("analyse %q in one word prints %s", lines[i], joined.out)
		}
		if lower := locally("analyse", strings.ToLower(lines[i]), "--json"); lower.out != got.out {
			t.Errorf("analyse %q in lower case prints %s", lines[i], lower.out)
		}
	}
	if len(lines) < 20 {
		t.Errorf("%d lines are few", len(lines))
	}
}

// Any variant's JSON has the fields of the contract, in its order, and a list of moves where there is one.
func TestEveryVariantIsAnalysed(t *testing.T) {
	for _, name := range []string{
		"tictactoe", "notakto/1", "notakto/2", "notakto/3", "notakto/4", "notakto/5", "notakto/6", "notakto/7",
		"notakto/8", "notakto/9",
	} {
		got := locally("analyse", name+":", "--json")
		variant, err := rules.ParseVariant(name)
		if err != nil {
			t.Fatal(err)
		}
		var read struct {
			Variant string
			Moves   []struct{ Move, Verdict string }
		}
		if err := json.Unmarshal([]byte(got.out), &read); err != nil || read.Variant != name ||
			len(read.Moves) != 9*variant.Boards() {
			t.Errorf("%s: %v, %s", name, err, got.out)
		}
		last := -1
		for _, field := range []string{"variant", "position", "turn", "verdict", "winning_moves", "moves", "over"} {
			at := strings.Index(got.out, `"`+field+`":`)
			if at <= last {
				t.Errorf("%s: %s is out of its order in %s", name, field, got.out)
			}
			last = at
		}
		if strings.Contains(got.out, "null") || strings.Contains(got.out, "winner") {
			t.Errorf("%s: %s", name, got.out)
		}
	}
}

func TestAnalysesInWords(t *testing.T) {
	for line, want := range map[string]string{
		"notakto/1: 5": "Position ....X.... of Notakto on 1 board.\nPlayer 2 is to move and loses to " +
			"perfect play.\nAll moves lose.\n",
		"notakto/1:": "Position ......... of Notakto on 1 board.\nPlayer 1 is to move and wins " +
			"with perfect play.\nMoves that win: A5.\nAll others lose.\n",
		"tictactoe: 5 1": "Position ....O.X.. of tic-tac-toe.\nPlayer 1 is to move. With perfect play " +
			"it is a draw.\nAll moves draw.\n",
		"XXX....../........X": "Position XXX....../........X of Notakto on 2 boards.\nPlayer 1 is to move " +
			"and wins with perfect play.\nMoves that win: B7.\n",
		"notakto/1: 7 8 9":             "Position XXX...... of Notakto on 1 board.\nThe game is over. Player 2 has won.\n",
		"tictactoe: 7 1 8 2 9":         "Position OOO...XX. of tic-tac-toe.\nThe game is over. Player 1 has won.\n",
		"tictactoe: 5 1 7 3 2 8 4 6 9": "Position OXOOOXXOX of tic-tac-toe.\nThe game is over. It is a draw.\n",
	} {
		if got := locally("analyse", line); got.status != command.ExitOK || got.err != "" ||
			!strings.HasPrefix(got.out, want) {
			t.Errorf("analyse %s: status %d, %s\n%s\nwant\n%s", line, got.status, got.err, got.out, want)
		}
	}
}

func TestWhatCannotBeAnalysed(t *testing.T) {
	for line, want := range map[string]string{
		"":                              "a position or a game",
		"foo":                           "neither a position",
		"notakto/3":                     "board A has 7 characters",
		"notakto/12:":                   "no such variant",
		"chess: A5":                     "no such variant",
		"notakto/3: A5 A5":              "the cell is taken",
		"notakto/3: D1":                 "there is no board D",
		"notakto/1: 7 8 9 1":            "the game is over",
		"notakto/2: A7 A8 A9 A1":        "the board is dead",
		"notakto/3: A0":                 "there is no cell 0",
		"notakto/3: hello":              "not a move",
		"XXX...XXX":                     "a cross was placed on board A after it died",
		"X......../XXX...XXX/XXX......": "board B after it died",
		"X.......":                      "board A has 8 characters",
		"OO.......":                     "noughts move first",
		"X......../O........":           "'O'",
		"\x1b[2J........":               "board A",
	} {
		words := []string{"analyse"}
		if line != "" {
			words = append(words, line)
		}
		for _, more := range [][]string{nil, {"--json"}} {
			locally(append(words, more...)...).expect(t, line, command.ExitUsage, "", want)
		}
	}
}
