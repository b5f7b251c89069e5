package player_test

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/progress"
	"notakto/rules/puzzle"
	"notakto/sshapp/cli/player"
)

func TestProfile(t *testing.T) {
	s := withHistory(t)
	s.Player.ID, _ = playersOf(t, s)
	at := func(words ...string) answer { return ask(player.Env{Server: s}, "", words...) }
	at("profile").expect(t, "profile", 0, "1 match: 1 won.\nKept ", "")
	_, other := playersOf(t, s)
	at("profile", string(other)).expect(t, "of the opponent", 0, "You against ", "")
	got := at("profile", "--json")
	want := `{"id":"` + string(s.Player.ID) +
		`","name":"ann","rating":null,"rank":null,"players":0,"pairs":{"won":0,"split":0,"lost":0},` +
		`"matches":1,"won":1,"kept":`
	if got.status != 0 || !strings.HasPrefix(got.out, want) {
		t.Errorf("profile --json prints %+v, want %s", got, want)
	}
}

func TestProfileHasTheBestRush(t *testing.T) {
	s := withHistory(t)
	s.Player.ID, _ = playersOf(t, s)
	kept := testkit.Store(t)
	s.Progress = kept.Progress()
	for day, solved := range []int{4, 31, 7} {
		run := progress.Run{Day: day + 1, Solved: solved, At: puzzle.Begin(day + 1)}
		testkit.OK(t, s.Progress.FinishRun(t.Context(), s.Player, run))
	}
	at := func(words ...string) answer { return ask(player.Env{Server: s}, "", words...) }
	at("profile").expect(t, "profile", 0, "\nBest rush: 31 puzzles.\n", "")
	at("profile", "--json").expect(t, "profile --json", 0, `,"rush":31,"bots":null}`, "")
}

func TestAProgramSaysInItsProfileThatItIsOne(t *testing.T) {
	s := by(withHistory(t), "ann", "ann")
	at := func(words ...string) answer { return ask(player.Env{Server: s}, "", words...) }
	at("me", "program").expect(t, "me program", 2, "", "on or off")
	for _, test := range []struct{ word, says, profile, json string }{
		{
			"on", "Your profile says that you are a program.\n", ", a program\n",
			`,"name":"ann","program":true,"rating":`,
		},
		{"off", "Your profile no longer says that you are a program.\n", "\n", `,"name":"ann","rating":`},
	} {
		at("me", "program", test.word).expect(t, test.word, 0, test.says, "")
		at("profile").expect(t, "profile", 0, string(s.Player.ID)+test.profile, "")
		at("profile", "--json").expect(t, "profile --json", 0, test.json, "")
	}
}

// The profile has the rating of programs.
func TestProfileOfABot(t *testing.T) {
	j := testkit.Store(t)
	journaltest.PlayPair(t, j, match.BotPool, "pair", "ann", "bob", true)
	s := serverOf(t, j)
	s.History, s.Player = j.History(), journaltest.SeasonPlayer("ann")
	at := func(words ...string) answer { return ask(player.Env{Server: s}, "", words...) }
	at("profile").expect(t, "profile", 0,
		"\nAmong programs: Rating 1662 +/- 290, provisional, 1 of 8 pairs for the ladder. "+
			"Rated pairs: 1 won, 0 split, 0 lost.\n", "")
	const want = `,"bots":{"rating":{"value":1662,"deviation":290,"provisional":true},"rank":null,"players":0,` +
		`"pairs":{"won":1,"split":0,"lost":0}}}` + "\n"
	if got := at("profile", "--json"); got.status != 0 || !strings.HasSuffix(got.out, want) ||
		!strings.Contains(got.out, `"rating":null,"rank":null,"players":0,`) {
		t.Errorf("profile --json prints %+v, want %s", got, want)
	}
}
