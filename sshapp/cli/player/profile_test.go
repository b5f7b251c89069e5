package player_test

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/progress"
	"notakto/rules/puzzle"
)

func TestProfile(t *testing.T) {
	s := withHistory(t)
	s.Progress = testkit.Store(t).Progress()
	for day, solved := range []int{4, 31, 7} {
		run := progress.Run{Day: day + 1, Solved: solved, At: puzzle.Begin(day + 1)}
		testkit.OK(t, s.Progress.FinishRun(t.Context(), s.Player, run))
	}
	says(s, "profile").prints(t, "1 match: 1 won.\nKept ")
	says(s, "profile").prints(t, "\nBest rush: 31 puzzles.\n")
	says(s, "profile --json").prints(t, `{"id":"annannannannanna","name":"ann","rating":null,"rank":null,"players":0,`+
		`"pairs":{"won":0,"split":0,"lost":0},"matches":1,"won":1,"kept":`)
	says(s, "profile --json").prints(t, `,"rush":31,"bots":null}`)
	says(s, "profile bobbobbobbobbobb").prints(t, "You against ")
}

func TestAProgramSaysInItsProfileThatItIsOne(t *testing.T) {
	s := by(withHistory(t), "ann", "ann")
	id := string(s.Player.ID)
	says(s, "me program").fails(t, 2, "on or off")
	says(s, "me program on").prints(t, "Your profile says that you are a program.\n")
	says(s, "profile").prints(t, id+", a program\n")
	says(s, "profile --json").prints(t, `,"name":"ann","program":true,"rating":`)
	says(s, "me program off").prints(t, "Your profile no longer says that you are a program.\n")
	says(s, "profile").prints(t, id+"\n")
	says(s, "profile --json").prints(t, `,"name":"ann","rating":`)
}

// Programs have a ladder and a rating of their own.
func TestLadder(t *testing.T) {
	j := journaltest.Season(t, testkit.Store(t))
	journaltest.PlayPair(t, j, match.BotPool, "pair", "ivy", "bob", true)
	s := serverOf(t, j)
	s.History, s.Player = j.History(), journaltest.SeasonPlayer("ivy")
	const top = `[{"rank":1,"id":"halhalhalhalhalh","name":"hal","rating":1598,"deviation":66,"pairs":36},` +
		`{"rank":2,"id":"ivyivyivyivyivyi","name":"ivy","rating":1571,"deviation":64,"pairs":36}]`
	says(s, "ladder --json --limit 2").prints(t, top)
	says(s, "ladder --limit 3").prints(t, "   2  ivy  ")
	says(s, "ladder --bots").prints(t, "The ladder is empty.")
	says(s, "ladder --limit=0").fails(t, 2, "whole number from 1 to 200")
	says(s, "profile").prints(t, "2nd of 10. Rated pairs: ")
	says(s, "profile").prints(t, "\nAmong programs: Rating 1662 +/- 290, provisional, 1 of 8 pairs for the ladder. "+
		"Rated pairs: 1 won, 0 split, 0 lost.\n")
	says(s, "profile --json").prints(t,
		`"provisional":false},"rank":2,"players":10,"pairs":{"won":8,"split":27,"lost":1}`)
	says(s, "profile --json").prints(t, `,"bots":{"rating":{"value":1662,"deviation":290,"provisional":true},`+
		`"rank":null,"players":0,"pairs":{"won":1,"split":0,"lost":0}}}`+"\n")
	says(s, "history --json --limit=1").prints(t, `"rated":true`)
}
