package command_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/command"
)

// archive is a server in whose archive there is a match, which no table knows of.
func archive(t *testing.T, id match.ID, game string) *command.Server {
	t.Helper()
	return serverOf(t, journaltest.Archive(t, map[match.ID]string{id: game}))
}

// A match that was put away is analysed move by move, its JSON to the byte.
func TestAMatchIsAnalysed(t *testing.T) {
	const id = "c6zl3rq7s7"
	h := archive(t, id, "notakto/1: A5 A1 A2 A4")
	const players = `"players":[{"id":"annannannannanna","name":"ann","guest":false},` +
		`{"id":"bobbobbobbobbobb","name":"bob","guest":false}]`
	want := strings.TrimSuffix(locally("analyse", "--json", "notakto/1: A5 A1 A2 A4").out, "}\n") +
		`,"match":{"id":"c6zl3rq7s7",` + players + `,"winner":1,"reason":"resign","moves":[` +
		`{"ply":1,"seat":1,"move":"A5","was":"win","verdict":"win","best":["A5"]},` +
		`{"ply":2,"seat":2,"move":"A1","was":"loss","verdict":"loss","best":[]},` +
		`{"ply":3,"seat":1,"move":"A2","was":"win","verdict":"loss","best":["A3","A6","A7","A8"]},` +
		`{"ply":4,"seat":2,"move":"A4","was":"win","verdict":"win","best":["A4"]}]}}` + "\n"
	if got := ask(command.Env{Server: h}, "", "analyse", "--json", "--match", id); got.out != want || got.err != "" ||
		got.status != command.ExitOK {
		t.Errorf("it prints\n%s%s\nwant\n%s", got.out, got.err, want)
	}
	words := "Match c6zl3rq7s7: 1 board, ann against bob.\n" +
		"Move 1, A5 by ann. The only move that wins.\n" +
		"Move 2, A1 by bob. Already lost: every move loses against perfect play.\n" +
		"Move 3, A2 by ann. A slip. A3 wins: then each safe cell of A has an answer. 3 others win too. " +
		"Rule of thumb: on the last board, have an answer ready for every safe move.\n" +
		"Move 4, A4 by bob. The only move that wins: now every free cell kills A.\n" +
		"bob resigned. ann won.\n" + locally("analyse", "notakto/1: A5 A1 A2 A4").out
	if got := ask(command.Env{Server: h}, "", "analyse", "--match", id); got.out != words || got.err != "" ||
		got.status != command.ExitOK {
		t.Errorf("it says\n%s%s\nwant\n%s", got.out, got.err, words)
	}
}

func TestWhichMatchesAreAnalysed(t *testing.T) {
	h := testServer(t)
	id := play(t, h, rules.TicTacToe())
	private, _, err := h.Manager.OpenPrivate(t.Context(), h.Player, match.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	at := func(line string) answer { return ask(command.Env{Server: h}, "", strings.Fields(line)...) }
	at("analyse --match nowhere").expect(t, "nowhere", command.ExitFailure,
		"", `there is no match "nowhere"; ssh HOST matches lists`)
	at("analyse --match "+string(id)).expect(t, "a match that is on", command.ExitFailure, "", "the match is not over yet")
	at("analyse --match "+string(id)+" tictactoe:").expect(t, "a match and a game", command.ExitUsage,
		"", "leave the rest out")
	at("analyse --match").expect(t, "no name", command.ExitUsage, "", "--match")
	locally("analyse", "--match", "x").expect(t, "without a server", command.ExitFailure,
		"", "ssh HOST analyse --match ID\n")
	seat, err := h.Manager.Sit(t.Context(), private, h.Player.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer seat.Close()
	if err := seat.Resign(t.Context()); err != nil {
		t.Fatal(err)
	}
	at("analyse --json --match "+string(private)).expect(t, "a cleared table", command.ExitFailure,
		"", "no match was played")
}

// Whatever is asked for, a damaged record is named as that, and a long match is gone through.
func TestUnusualMatches(t *testing.T) {
	damaged := journaltest.NewFaulty(0)
	h := serverOf(t, damaged)
	damaged.Fail(match.ErrDamaged)
	for _, line := range []string{"analyse --match c6zl3rq7s7", "watch c6zl3rq7s7"} {
		ask(command.Env{Server: h}, "", strings.Fields(line)...).expect(t, line, command.ExitFailure,
			"", "notakto: the log of the match is damaged: it can be neither shown nor played on\n")
	}
	nine, err := rules.Notakto(9)
	if err != nil {
		t.Fatal(err)
	}
	position := nine.Start()
	game := nine.String() + ":"
	for range 12 {
		m := strategy.Perfect.Choose(position, rand.New(rand.NewPCG(1, 2)))
		game += " " + nine.FormatMove(m)
		if position, err = position.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	got := ask(command.Env{Server: archive(t, "long", game)}, "", "analyse", "--match", "long")
	if got.status != command.ExitOK || strings.Count(got.out, "\nMove ") != 12 {
		t.Errorf("it prints\n%s%s", got.out, got.err)
	}
}

// The American spelling is understood.
func TestAnalyze(t *testing.T) {
	got, want := locally("analyze", "notakto/1: A5"), locally("analyse", "notakto/1: A5")
	if got.out != want.out || got.out == "" {
		t.Errorf("prints %q, want %q", got.out, want.out)
	}
}
