package tui

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

func TestWatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		cleo := b.come(keyed("cleo"))
		cleo.press("4")
		cleo.mustSee("ann – bob", "1 board                     0")
		cleo.press("enter")
		cleo.mustSee("watching", first.Player().Name+"'s turn")
		first.mustSee("1 watching")
		dan := b.come(keyed("dan"))
		dan.resize(40, 16)
		dan.press("4 enter").mustSee("2 are watching, including you")
		cleo.press("5 r")
		cleo.mustNotSee("Resign")
		b.play(first, second, "A5")
		cleo.mustSee("A5", second.Player().Name+"'s turn")
		second.press("r y")
		cleo.mustSee(first.Player().Name+" won", second.Player().Name+" resigned.")
		first.press("enter")
		second.press("enter")
		cleo.mustSee("Enter watches the rematch.")
		cleo.press("enter")
		cleo.mustSee(second.Player().Name + "'s turn")
		cleo.press("q")
		cleo.mustSee("Play someone")
	})
}

func TestADemonstrationIsShownUntilPeoplePlay(t *testing.T) {
	inBubble(t, func(b *harness) {
		cleo := b.come(keyed("cleo")).press("4")
		cleo.mustSee("demonstration", "'s turn")
		cleo.mustNotSee("next match")
		b.advance(2 * time.Second)
		shown := cleo.screen.(*tableScreen).table
		comment, _ := shown.Comment()
		cleo.mustSee(shown.Seat(comment.Side).Player.Name + "  ")
		cleo.press("n")
		if next := cleo.screen.(*tableScreen).table; next == shown || !next.IsDemonstration() || !shown.IsGone() {
			t.Error("n begins no other demonstration")
		}
		for range 200 {
			if _, isOver := cleo.screen.(*resultScreen); isOver {
				break
			}
			b.advance(time.Second)
		}
		cleo.press("v 1m").mustSee("Review: ")
		cleo.press("esc n").mustSee("demonstration", "'s turn")
		first, _ := b.pair("notakto/1")
		b.advance(2 * time.Second)
		cleo.mustSee("1 board", first.Player().Name+"'s turn")
		cleo.press("n").mustSee("There is no other match now.")
	})
}

func TestAMatchWithDaysGivesWayToADemonstration(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.pair("notakto/3 3d")
		at := start.Start{At: start.Match}
		b.comeTo(keyed("cleo"), at).mustSee("ann", "bob", "watching")
		b.advance(time.Minute)
		b.comeTo(keyed("dan"), at).mustSee("demonstration", "n next match")
	})
}

func TestTheChosenMatchStaysChosen(t *testing.T) {
	w := newWatch(nil)
	w.rows, w.row = []match.Summary{{ID: "a"}, {ID: "b"}}, 1
	w.take([]match.Summary{{ID: "c"}, {ID: "a"}, {ID: "b"}})
	testkit.Equal(t, w.row, 2)
	w.take([]match.Summary{{ID: "a"}})
	testkit.Equal(t, w.row, 0)
}

func TestBothNamesAreListed(t *testing.T) {
	s := draw.NewCanvas(new(render.Grid), 40, 16, utf8Theme())
	long, perfect := match.Player{Name: "averyveryverylon"}, match.Computer(strategy.Perfect)
	for want, players := range map[string][2]match.Player{
		"ann – bob":            {{Name: "ann"}, {Name: "bob"}},
		"averyver… – another…": {long, {Name: "another-long-one"}},
		"averyveryvery… – bob": {long, {Name: "bob"}},
		"ann – another-long-…": {{Name: "ann"}, {Name: "another-long-name"}},
		"averyvery… – perfect": {long, perfect},
	} {
		testkit.Equal(t, fitNames(s, players, 20), want)
	}
}
