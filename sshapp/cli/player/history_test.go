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

const finishedMatch = "c6zl3rq7s7"

// withHistory returns a server with a match that ann won because bob resigned, and with a void match.
func withHistory(t *testing.T) *player.Server {
	t.Helper()
	j := testkit.Store(t)
	finish(t, j, "void", ann(), match.Event{Kind: match.Overdue, Seat: rules.First})
	journaltest.Archive(t, j, map[match.ID]string{finishedMatch: "notakto/3: A5 B5 C1"})
	s := serverOf(t, j)
	s.History, s.Player = j.History(), ann()
	return s
}

// ann returns the first player of [journaltest.Archive].
func ann() match.Player { return journaltest.SeasonPlayer("ann") }

func TestHistory(t *testing.T) {
	s := withHistory(t)
	says(s, "history").prints(t, "won  3 boards  3 moves  resigned  against bob  "+finishedMatch)
	got := says(s, "history --json --limit 1")
	got.prints(t, `[{"match":"`+finishedMatch+`","variant":"notakto/3","clock":"none","rated":false,"opponent":`+
		`{"id":"bobbobbobbobbobb","name":"bob"},"result":"won","reason":"resign","plies":3,"ended":"`)
	says(s, "history @mal 7").fails(t, 1, "no player has claimed the name mal 7") // ssh sends no quotes
	for _, limit := range []string{"0", "-1", "201"} {
		says(s, "history --limit="+limit).fails(t, 2, "whole number from 1 to 200")
	}
	s.Player.ID = "new"
	says(s, "history").prints(t, "ann has not finished a match yet.")
	s.History = nil
	for _, line := range []string{"history", "ladder", "results"} {
		says(s, line).fails(t, 1, "keeps no history")
	}
}

// A match of a private table is between its two players. Another player must not find it in their histories.
func TestAPrivateMatchIsListedForItsPlayersOnly(t *testing.T) {
	j := testkit.Store(t)
	s := serverOf(t, j)
	s.History = j.History()
	ann, bob := ann(), journaltest.SeasonPlayer("bob")
	id, code, err := s.Manager.OpenPrivate(t.Context(), ann, match.DefaultTerms())
	testkit.OK(t, err)
	_, _, err = s.Manager.Join(t.Context(), bob, code)
	testkit.OK(t, err)
	seat, err := s.Manager.Sit(t.Context(), id, bob.ID)
	testkit.OK(t, err)
	testkit.OK(t, seat.Resign(t.Context()))
	for _, p := range []match.Player{ann, bob, {ID: "eveeveeveeveevee", Name: "eve"}} {
		s.Player = p
		for _, of := range []match.Player{ann, bob} {
			got := says(s, "history "+string(of.ID))
			testkit.Equal(t, got.err, "")
			isListed := strings.Contains(got.out, string(id))
			testkit.Equal(t, isListed, p == of, p.Name, "reads the history of", of.Name)
		}
	}
}

// The local program reads the history of a data directory.
func TestLocalHistory(t *testing.T) {
	dir := t.TempDir()
	locally("history", "ann", "--data", dir).fails(t, 1, "no database")
	s := testkit.OpenStore(t, dir)
	journaltest.Archive(t, s, map[match.ID]string{finishedMatch: "notakto/3: A5 B5 C1"})
	locally("ladder", "--data", dir).fails(t, 1, "stop it first")
	testkit.OK(t, s.Close())
	for _, name := range []string{"ann", string(ann().ID)} {
		locally("history", name, "--data", dir).prints(t, "against bob")
		locally("profile", name, "--data", dir, "--json").prints(t, `"matches":1,"won":1`)
	}
	locally("profile", "--data", dir).fails(t, 1, "name of a player")
	locally("profile", "eve", "--data", dir).fails(t, 1, "there is no finished match of a player")
}
