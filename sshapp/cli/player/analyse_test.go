package player_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

// docs/commands.md promises every byte of the JSON.
func TestAnalysesInJSON(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join("testdata", "analyses.txt"))
	testkit.OK(t, err)
	lines := strings.Split(strings.TrimSuffix(string(golden), "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		words := append([]string{"analyse", "--json"}, strings.Fields(lines[i])...)
		got := locally(words...)
		if got.status != cli.ExitOK || got.err != "" || got.out != lines[i+1]+"\n" {
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
		if got := locally("analyse", line); got.status != cli.ExitOK || got.err != "" ||
			!strings.HasPrefix(got.out, want) {
			t.Errorf("analyse %s: status %d, %s\n%s\nwant\n%s", line, got.status, got.err, got.out, want)
		}
	}
}

func TestWhatCannotBeAnalysed(t *testing.T) {
	for line, want := range map[string]string{
		"":                              "a position or a game",
		"foo":                           "neither a position",
		"notakto/3":                     `such as "notakto/3: A5 A1", or the boards, such as "X......../........."`,
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
		"X.......":                      "board A needs 9 characters, not 8",
		"OO.......":                     "noughts move first",
		"X......../O........":           "'O'",
		"\x1b[2J........":               "board A",
	} {
		words := []string{"analyse"}
		if line != "" {
			words = append(words, line)
		}
		for _, more := range [][]string{nil, {"--json"}} {
			locally(append(words, more...)...).expect(t, line, cli.ExitUsage, "", want)
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
	if got := ask(player.Env{Server: s}, "", "analyse", "--json", "--match", id); got.out != want || got.err != "" ||
		got.status != cli.ExitOK {
		t.Errorf("it prints\n%s%s\nwant\n%s", got.out, got.err, want)
	}
	words := "Match c6zl3rq7s7: 1 board, ann against bob.\n" +
		"Move 1, A5 by ann. The only move that wins.\n" +
		"Move 2, A1 by bob. Lost by now: every move loses against perfect play.\n" +
		"Move 3, A2 by ann. A slip. A3 was one of 4 winning moves: then each safe cell of A has an answer. " +
		"Rule of thumb: on the last board, have an answer ready for every safe move.\n" +
		"Move 4, A4 by bob. The only move that wins: now every free cell kills A.\n" +
		"bob resigned. ann won.\n" + locally("analyse", "notakto/1: A5 A1 A2 A4").out
	if got := ask(player.Env{Server: s}, "", "analyse", "--match", id); got.out != words || got.err != "" ||
		got.status != cli.ExitOK {
		t.Errorf("it says\n%s%s\nwant\n%s", got.out, got.err, words)
	}
}

func TestWhichMatchesAreAnalysed(t *testing.T) {
	s := testServer(t)
	id := play(t, s, rules.TicTacToe())
	private, _, err := s.Manager.OpenPrivate(t.Context(), s.Player, match.DefaultTerms())
	testkit.OK(t, err)
	at := func(line string) answer { return ask(player.Env{Server: s}, "", strings.Fields(line)...) }
	at("analyse --match nowhere").expect(t, "nowhere", cli.ExitFailure,
		"", `there is no match "nowhere": ssh HOST matches lists`)
	for line, host := range map[string]string{
		"analyse --match zzz": "-p 2222 play.example", "watch zzz": "-p 2222 play.example", "show zzz": "play.example",
	} {
		ask(player.Env{Server: s, Host: host}, "", strings.Fields(line)...).expect(t, line, cli.ExitFailure,
			"", `no match "zzz": ssh `+host+" matches lists")
	}
	at("analyse --match "+string(id)).expect(t, "a match that is on", cli.ExitFailure, "", "the match is not over yet")
	at("analyse --match "+string(id)+" tictactoe:").expect(t, "a match and a game", cli.ExitUsage,
		"", "leave positions and games out")
	at("analyse --match").expect(t, "no name", cli.ExitUsage, "", "--match")
	locally("analyse", "--match", "x").expect(t, "without a server", cli.ExitFailure,
		"", "ssh HOST analyse --match ID\n")
	seat, err := s.Manager.Sit(t.Context(), private, s.Player.ID)
	testkit.OK(t, err)
	defer seat.Close()
	testkit.OK(t, seat.Resign(t.Context()))
	at("analyse --json --match "+string(private)).expect(t, "a cleared table", cli.ExitFailure,
		"", "no match was played")
}

// A damaged record gets an error of its own. A long match is analysed to its end.
func TestUnusualMatches(t *testing.T) {
	damaged := journaltest.NewFaulty(0)
	s := serverOf(t, damaged)
	damaged.Fail(match.ErrDamaged)
	for _, line := range []string{"analyse --match c6zl3rq7s7", "watch c6zl3rq7s7"} {
		ask(player.Env{Server: s}, "", strings.Fields(line)...).expect(t, line, cli.ExitFailure,
			"", "notakto: the log of the match is damaged, so it cannot be shown or continued\n")
	}
	nine, err := rules.Notakto(9)
	testkit.OK(t, err)
	position := nine.Start()
	game := nine.String() + ":"
	for range 12 {
		m := strategy.Perfect.Choose(position, rand.New(rand.NewPCG(1, 2)))
		game += " " + nine.FormatMove(m)
		if position, err = position.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	got := ask(player.Env{Server: archive(t, "long", game)}, "", "analyse", "--match", "long")
	if got.status != cli.ExitOK || strings.Count(got.out, "\nMove ") != 12 {
		t.Errorf("it prints\n%s%s", got.out, got.err)
	}
}

func TestAnalyze(t *testing.T) {
	got, want := locally("analyze", "notakto/1: A5"), locally("analyse", "notakto/1: A5")
	if got.out != want.out || got.out == "" {
		t.Errorf("prints %q, want %q", got.out, want.out)
	}
}
