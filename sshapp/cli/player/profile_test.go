package player_test

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/sshapp/cli/player"
)

func TestProfile(t *testing.T) {
	s := withHistory(t)
	s.Player.ID, _ = playersOf(t, s)
	at := func(words ...string) answer { return ask(player.Env{Server: s}, "", words...) }
	at("profile").expect(t, "profile", 0, "1 match: 1 won.\nWinning positions kept: ", "")
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

// The rating of programs was in the ladder and in the export, and not in the profile.
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
