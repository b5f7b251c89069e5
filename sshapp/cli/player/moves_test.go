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
	says(s, "moves").prints(t, "No match waits for your move.\n")
	says(s, "moves --json").prints(t, "[]\n")
	week, day := correspondence(t, s, 3, 7), correspondence(t, s, 2, 1)
	lines := strings.Split(says(s, "moves").out, "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], string(day)+"  2 boards, 1 day a move  ") ||
		!strings.HasPrefix(lines[1], string(week)+"  ") ||
		!strings.HasSuffix(lines[1], " d + bank 3 d left        against bob") {
		t.Errorf("moves prints %q", lines)
	}
	says(s, "moves --json").prints(t, `[{"match":"`+string(day)+`","variant":"notakto/2","clock":"1d","rated":false,`+
		`"opponent":{"id":"b","name":"bob"},"plies":`)
	says(s, "moves --json").prints(t, `,"due":"20`)
	says(s, "move "+string(day)+" b1").prints(t, "Board B: you at 1. bob has until ")
	if got := says(s, "moves").out; strings.Contains(got, string(day)) {
		t.Errorf("after the move %q waits", got)
	}
}

func TestMovePlaysOneMove(t *testing.T) {
	s := testServer(t)
	id := string(correspondence(t, s, 2, 1))
	bob, err := s.Manager.Sit(t.Context(), match.ID(id), "b")
	testkit.OK(t, err)
	defer bob.Close()
	says(s, "move "+id).fails(t, 2, "takes the name of a match and a move, and got 1 argument")
	says(s, "move "+id+" x5").fails(t, 2, "notakto: there is no board X")
	says(s, "move "+id+" nope").fails(t, 2, "notakto: not a move: a move is ")
	says(s, "move nonsense b1").fails(t, 1, `there is no match "nonsense": ssh host matches lists`)
	got := says(s, "move "+strings.ToUpper(id[:4])+" B5")
	if lines := strings.Split(got.out, "\n"); got.status != 0 || len(lines) != 4 ||
		!strings.HasPrefix(lines[0], "Board B: you at 5. bob has until ") ||
		lines[2] != "Board B: X at 5; free 1 2 3 4 6 7 8 9." {
		t.Errorf("move prints %+v", got)
	}
	says(s, "move "+id+" a1").fails(t, 1, "it is not your turn")
	testkit.OK(t, bob.Play(t.Context(), rules.Move{Board: 1, Cell: 4}))
	says(s, "move "+id+" b5").fails(t, 1, "the cell is taken")
	says(s, "move "+id+" b6 --json").prints(t, `,"move":"B6","position":"`)
	testkit.OK(t, bob.Play(t.Context(), rules.Move{Board: 0, Cell: 5}))
	says(s, "move "+id+" a4 --json").prints(t, `,"turn":`)
	testkit.OK(t, bob.Play(t.Context(), rules.Move{Board: 0, Cell: 8}))
	says(s, "move "+id+" a6 --json").prints(t, `,"turn":0,"winner":`)
	says(s, "move "+id+" a7").fails(t, 1, "the match is over")
	other := &player.Server{Player: match.Player{ID: "c", Name: "cleo"}, Manager: s.Manager}
	says(other, "move "+id+" a1").fails(t, 1, "you have no seat")
}

func TestAMatchHasToBeNamedWithoutDoubt(t *testing.T) {
	s := testServer(t)
	seen := map[byte]match.ID{}
	for range 40 { // more than there are characters
		id, _, err := s.Manager.OpenPrivate(t.Context(), s.Player, match.DefaultTerms())
		testkit.OK(t, err)
		if seen[id[0]] != "" {
			says(s, "move "+string(id[:1])+" 1").fails(t, 1,
				`2 of your matches begin with "`+string(id[:1])+`": add more of the name`)
			return
		}
		seen[id[0]] = id
	}
	t.Error("no two names begin with one character")
}

// A rated pair that ann won while she was away.
func TestResultsAreListedUntilTheyAreSeen(t *testing.T) {
	j := testkit.Store(t)
	for _, m := range journaltest.Pair(match.PeoplePool, "pair", "ann", "bob", true) {
		last := len(m.Events) - 1
		end := m.Events[last]
		m.Events[last] = match.Event{Match: m.ID, Seq: end.Seq, Kind: match.Left, Seat: end.Seat.Other()}
		end.Seq++
		_, err := j.Append(t.Context(), append(m.Events, end)...)
		testkit.OK(t, err)
	}
	s := serverOf(t, j)
	s.History, s.Player = j.History(), ann()
	for range 2 {
		got := says(s, "results")
		if lines := strings.Split(got.out, "\n"); got.status != 0 || len(lines) != 3 ||
			!strings.HasPrefix(lines[0], "pair-2  20") ||
			!strings.HasSuffix(lines[0], "  You beat bob (rated, 1500? → 1662?)") ||
			!strings.HasSuffix(lines[1], "  You beat bob (rated)") {
			t.Errorf("results prints %+v", got)
		}
	}
	says(s, "results --json --seen").prints(t, `"rating":{"before":1500,"value":1662,"change":162,"deviation":290,`+
		`"provisional":true,"pairs":1,"counts":true}}`)
	says(s, "results --json").prints(t, "[]\n")
	says(s, "results").prints(t, "You have seen all results.\n")
}
