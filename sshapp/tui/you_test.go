package tui

import (
	"fmt"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
)

func TestYouSaysHowToLookAfterTheAccount(t *testing.T) {
	for _, test := range []struct {
		width      int
		host, want string
	}{
		{80, "HOST", `Your name, keys and data: add "me" to the ssh command`},
		{80, "-p 2222 example.org", "Your name, keys and data: ssh -p 2222 example.org me"},
		{40, "HOST", `Your data: add "me" to the ssh command`},
		{40, "example.org", "Name, keys, data: ssh example.org me"},
		{40, "-p 2222 example.org", "Your data: ssh -p 2222 example.org me"},
		{40, "-p 2222 very.long.name.example.org", ""},
	} {
		s := &env{player: keyed("ann"), host: test.host, width: test.width, height: 24}
		if got, _ := newYou(s).notice(); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if got, _ := newYou(&env{player: guest("guy"), width: 80}).notice(); got != "" {
		t.Errorf("a guest, who has no account, reads %q", got)
	}
}

// finishedMatches returns a history with one match more than a small window has lines.
func finishedMatches() record {
	opponents := []string{"bob", "cleo", "steady", "a name of sixteen"}
	r := record{totals: history.Totals{Matches: 24, Won: 11, Lost: 10, Chances: 70, Kept: 51}, standing: ladderOf()[6]}
	for i := range 24 {
		e := history.Entry{
			Match: match.ID(fmt.Sprint(i)), Terms: match.Terms{Variant: rules.DefaultVariant()},
			Side: rules.First, Opponent: keyed(opponents[i*i%7%len(opponents)]),
			Winner: rules.Side(i % 3), Reason: "boards", Plies: 9 + i%5,
			Ended: time.Now().Add(time.Duration(-7*i) * time.Hour),
		}
		if i%3 == 0 {
			e.Variant, e.Reason, e.Plies = rules.TicTacToe(), "draw", 9
		}
		r.matches = append(r.matches, e)
	}
	return r
}
