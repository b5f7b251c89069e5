package tui

import (
	"fmt"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
)

func TestYouSaysHowToLookAfterTheAccount(t *testing.T) {
	const example, long = "-p 2222 example.org", "-p 2222 very.long.name.example.org"
	for want, e := range map[string]*env{
		`Your name, keys and data: add "me" to the ssh command`: {width: 80, host: "HOST"},
		"Your name, keys and data: ssh -p 2222 example.org me":  {width: 80, host: example},
		`Your data: add "me" to the ssh command`:                {width: 40, host: "HOST"},
		"Name, keys, data: ssh example.org me":                  {width: 40, host: "example.org"},
		"Your data: ssh -p 2222 example.org me":                 {width: 40, host: example},
		"":                                                      {width: 40, host: long},
	} {
		for player, want := range map[match.Player]string{keyed("ann"): want, guest("guy"): ""} {
			e.player, e.height = player, 24
			got, _ := newYou(e).notice()
			testkit.Equal(t, got, want, player.Name)
		}
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

func TestAMatchIsListedWhileBothStay(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A5", "A1", "A2", "A9")
		for _, p := range []*person{first, second} {
			p.mustSee("Enter rematch")
			other := b.come(p.Player()) // in another window
			other.press("7")
			other.mustSee("1 match: ", "today")
			other.press("enter")
			other.mustSee("Review")
			other.Close()
			p.mustSee("Enter rematch")
		}
	})
}
