package player_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

// docs/commands.md promises every byte of the JSON.
func TestAnalysesInJSON(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join("testdata", "analyses.txt"))
	testkit.OK(t, err)
	lines := strings.Split(strings.TrimSuffix(string(golden), "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		for _, words := range [][]string{
			append(strings.Fields(lines[i]), "--json"), {"--json", lines[i]}, {strings.ToLower(lines[i]), "--json"},
		} {
			got := locally(append([]string{"analyse"}, words...)...)
			testkit.Equal(t, got, answer{line: got.line, out: lines[i+1] + "\n"})
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
		"notakto/1: 7 8 9": "Position XXX...... of Notakto on 1 board.\nThe game is over. Player 2 " +
			"has won.\n",
		"tictactoe: 7 1 8 2 9":         "Position OOO...XX. of tic-tac-toe.\nThe game is over. Player 1 has won.\n",
		"tictactoe: 5 1 7 3 2 8 4 6 9": "Position OXOOOXXOX of tic-tac-toe.\nThe game is over. It is a draw.\n",
	} {
		locally("analyse", line).prints(t, want)
	}
}

// rules.ParseGame and rules.ParsePosition have more faults.
func TestWhatCannotBeAnalysed(t *testing.T) {
	for line, want := range map[string]string{
		"":                 "a position or a game",
		"foo":              "neither a position",
		"notakto/3":        `such as "notakto/3: A5 A1", or the boards, such as "X......../........."`,
		"notakto/3: A5 A5": "the cell is taken",
		"XXX...XXX":        "a cross was placed on board A after it died",
		"\x1b[2J........":  "board A",
	} {
		words := []string{"analyse"}
		if line != "" {
			words = append(words, line)
		}
		for _, more := range [][]string{nil, {"--json"}} {
			locally(append(words, more...)...).fails(t, cli.ExitUsage, want)
		}
	}
}

// archive returns a server with an archived match that no table has.
func archive(t *testing.T, id match.ID, game string) *player.Server {
	t.Helper()
	return serverOf(t, journaltest.Archive(t, match.NewMemory(), map[match.ID]string{id: game}))
}

// An archived match is analysed move by move. Every byte of its JSON is promised.
func TestAMatchIsAnalysed(t *testing.T) {
	const id = "c6zl3rq7s7"
	s := archive(t, id, "notakto/1: A5 A1 A2 A4")
	const players = `"players":[{"id":"annannannannanna","name":"ann","guest":false},` +
		`{"id":"bobbobbobbobbobb","name":"bob","guest":false}]`
	want := strings.TrimSuffix(locally("analyse", "--json", "notakto/1: A5 A1 A2 A4").out, "}\n") +
		`,"match":{"id":"c6zl3rq7s7",` + players + `,"winner":1,"reason":"resign","moves":[` +
		`{"ply":1,"seat":1,"move":"A5","was":"win","verdict":"win","best":["A5"]},` +
		`{"ply":2,"seat":2,"move":"A1","was":"loss","verdict":"loss","best":[]},` +
		`{"ply":3,"seat":1,"move":"A2","was":"win","verdict":"loss","best":["A3","A6","A7","A8"]},` +
		`{"ply":4,"seat":2,"move":"A4","was":"win","verdict":"win","best":["A4"]}]}}` + "\n"
	says(s, "analyse --json --match "+id).prints(t, want)
	words := "Match c6zl3rq7s7: 1 board, ann against bob.\n" +
		"Move 1, A5 by ann. The only move that wins.\n" +
		"Move 2, A1 by bob. Lost by now: every move loses against perfect play.\n" +
		"Move 3, A2 by ann. A slip. A3 was one of 4 winning moves: then each safe cell of A has an answer. " +
		"Rule of thumb: on the last board, have an answer ready for every safe move.\n" +
		"Move 4, A4 by bob. The only move that wins: now every free cell kills A.\n" +
		"bob resigned. ann won.\n" + locally("analyse", "notakto/1: A5 A1 A2 A4").out
	says(s, "analyse --match "+id).prints(t, words)
}
