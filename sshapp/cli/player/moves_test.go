package player_test

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/cli/player"
)

// correspondence opens a match of ann and bob on n boards with a clock of days, that waits for ann's move.
func correspondence(t *testing.T, s *player.Server, n, days int) match.ID {
	t.Helper()
	v, err := rules.Notakto(n)
	testkit.OK(t, err)
	clock, err := match.Correspondence(days)
	testkit.OK(t, err)
	id, code, err := s.Manager.OpenPrivate(t.Context(), s.Player, match.Terms{Variant: v, Clock: clock})
	if err == nil {
		_, _, err = s.Manager.Join(t.Context(), match.Player{ID: "b", Name: "bob"}, code)
	}
	testkit.OK(t, err)
	if s.Manager.Summaries([]match.ID{id})[0].ToMove().ID == "b" {
		seat, err := s.Manager.Sit(t.Context(), id, "b")
		testkit.OK(t, err)
		defer seat.Close()
		testkit.OK(t, seat.Play(t.Context(), rules.Move{Cell: 9}))
	}
	return id
}

func TestMovesListsTheMatchesThatWait(t *testing.T) {
	s := testServer(t)
	at := func(line string) answer { return ask(player.Env{Server: s}, "", strings.Fields(line)...) }
	at("moves").expect(t, "without a match", 0, "No match waits for your move.\n", "")
	at("moves --json").expect(t, "without a match", 0, "[]\n", "")
	week, day := correspondence(t, s, 3, 7), correspondence(t, s, 2, 1)
	lines := strings.Split(at("moves").out, "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], string(day)+"  2 boards, 1 day a move  ") ||
		!strings.HasPrefix(lines[1], string(week)+"  ") ||
		!strings.HasSuffix(lines[1], " d + bank 3 d left        against bob") {
		t.Errorf("moves prints %q", lines)
	}
	asJSON := at("moves --json")
	want := `[{"match":"` + string(day) + `","variant":"notakto/2","clock":"1d","rated":false,"opponent":{"id":"b",` +
		`"name":"bob"},"plies":`
	if !strings.HasPrefix(asJSON.out, want) || !strings.Contains(asJSON.out, `,"due":"20`) {
		t.Errorf("moves --json prints %s, want %s", asJSON.out, want)
	}
	at("move "+string(day)+" b1").expect(t, "move", 0, "Board B: you at 1. bob has until ", "")
	if got := at("moves").out; strings.Contains(got, string(day)) {
		t.Errorf("after the move %q waits", got)
	}
}

func TestMovePlaysOneMove(t *testing.T) {
	s := testServer(t)
	id := string(correspondence(t, s, 2, 1))
	at := func(line string) answer { return ask(player.Env{Server: s}, "", strings.Fields(line)...) }
	at("move "+id).expect(t, "without a move", 2, "", "takes the name of a match and a move, and got 1 argument")
	at("move "+id+" x5").expect(t, "no such board", 2, "", "notakto: there is no board X")
	at("move "+id+" nope").expect(t, "no move", 2, "", "notakto: not a move: a move is ")
	at("move "+id+" c5").expect(t, "no such board", 2, "", "there is no board C")
	at("move nonsense b1").expect(t, "an unknown match", 1, "", `there is no match "nonsense": ssh HOST matches lists`)
	got := at("move " + strings.ToUpper(id[:4]) + " B5")
	if lines := strings.Split(got.out, "\n"); got.status != 0 || len(lines) != 4 ||
		!strings.HasPrefix(lines[0], "Board B: you at 5. bob has until ") ||
		lines[2] != "Board B: X at 5; free 1 2 3 4 6 7 8 9." {
		t.Errorf("move prints %+v", got)
	}
	at("move "+id+" a1").expect(t, "on the opponent's turn", 1, "", "it is not your turn")
	seat, err := s.Manager.Sit(t.Context(), match.ID(id), "b")
	testkit.OK(t, err)
	defer seat.Close()
	testkit.OK(t, seat.Play(t.Context(), rules.Move{Board: 1, Cell: 4}))
	at("move "+id+" b5").expect(t, "a taken cell", 1, "", "the cell is taken")
	at("move "+id+" b6 --json").expect(t, "as JSON", 0, `,"move":"B6","position":"`, "")
	other := &player.Server{Player: match.Player{ID: "c", Name: "cleo"}, Manager: s.Manager}
	ask(player.Env{Server: other}, "", "move", id, "a1").expect(t, "without a seat", 1, "", "you have no seat")
	s.Player.Guest = true
	for _, line := range []string{"moves", "move " + id + " a1", "results"} {
		at(line).expect(t, line+" of a guest", 1, "", "a guest has no account")
	}
}

func TestMoveTellsTheEndOfTheMatch(t *testing.T) {
	s := testServer(t)
	id := correspondence(t, s, 1, 1)
	at := func(line string) answer { return ask(player.Env{Server: s}, "", strings.Fields(line)...) }
	at("move "+string(id)+" 1").expect(t, "the first move", 0, "Board A: you at 1. bob has until ", "")
	seat, err := s.Manager.Sit(t.Context(), id, "b")
	testkit.OK(t, err)
	defer seat.Close()
	testkit.OK(t, seat.Play(t.Context(), rules.Move{Cell: 2}))
	at("move "+string(id)+" 3 --json").expect(t, "the last move", 0, `,"turn":0,"winner":`, "")
	at("move "+string(id)+" 5").expect(t, "after the end", 1, "", "the match is over")
}

func TestAMatchHasToBeNamedWithoutDoubt(t *testing.T) {
	s := testServer(t)
	seen := map[byte]match.ID{}
	for range 40 { // more than there are characters
		id, _, err := s.Manager.OpenPrivate(t.Context(), s.Player, match.DefaultTerms())
		testkit.OK(t, err)
		if seen[id[0]] != "" {
			ask(player.Env{Server: s}, "", "move", string(id[:1]), "1").expect(t, "an ambiguous name", 1, "",
				`2 of your matches begin with "`+string(id[:1])+`": add more of the name`)
			return
		}
		seen[id[0]] = id
	}
	t.Error("no two names begin with one character")
}

// awayPair returns a server with a rated pair that ann won while she was away.
func awayPair(t *testing.T) *player.Server {
	t.Helper()
	j := testkit.Store(t)
	for _, m := range journaltest.Pair(match.PeoplePool, "pair", "ann", "bob", true) {
		last := len(m.Events) - 1
		end := m.Events[last]
		m.Events[last] = match.Event{Match: m.ID, Seq: end.Seq, Kind: match.Left, Seat: end.Seat.Other()}
		end.Seq++
		if _, err := j.Append(t.Context(), append(m.Events, end)...); err != nil {
			t.Fatal(err)
		}
	}
	s := serverOf(t, j)
	s.History, s.Player = j.History(), journaltest.SeasonPlayer("ann")
	return s
}

func TestResultsAreListedUntilTheyAreSeen(t *testing.T) {
	s := awayPair(t)
	at := func(line string) answer { return ask(player.Env{Server: s}, "", strings.Fields(line)...) }
	for range 2 {
		got := at("results")
		if lines := strings.Split(got.out, "\n"); got.status != 0 || len(lines) != 3 ||
			!strings.HasPrefix(lines[0], "pair-2  20") ||
			!strings.HasSuffix(lines[0], "  You beat bob (rated, 1500? → 1662?)") ||
			!strings.HasSuffix(lines[1], "  You beat bob (rated)") {
			t.Errorf("results prints %+v", got)
		}
	}
	const rating = `"rating":{"before":1500,"value":1662,"change":162,"deviation":290,` +
		`"provisional":true,"pairs":1,"counts":true}}`
	at("results --json --seen").expect(t, "results --json", 0, rating, "")
	at("results --json").expect(t, "seen", 0, "[]\n", "")
	at("results").expect(t, "seen", 0, "You have seen all results.\n", "")
	s.History = nil
	at("results").expect(t, "without a history", 1, "", "keeps no history")
}
