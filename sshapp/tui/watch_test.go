package tui

import (
	"testing"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// A spectator sees the moves as they come, places nothing, and sees who won.
func TestWatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		cleo := b.come(keyed("cleo"))
		cleo.press("4")
		cleo.mustSee("ann – bob", "1 board                     0")
		cleo.press("enter")
		cleo.mustSee("watching", first.Player().Name+"'s turn")
		first.mustSee("1 watching")
		cleo.press("5 r")
		cleo.mustNotSee("Resign")
		b.play(first, second, "A5")
		cleo.mustSee("A5", second.Player().Name+"'s turn")
		second.press("r y")
		cleo.mustSee(first.Player().Name+" won", second.Player().Name+" resigned.")
		first.press("enter")
		second.press("enter")
		cleo.mustSee("They play again: Enter watches.")
		cleo.press("enter")
		cleo.mustSee(second.Player().Name + "'s turn")
		cleo.press("q")
		cleo.mustSee("Play someone")
	})
}

// The list stood still until a key asked for it.
func TestWatchListFollowsTheMatches(t *testing.T) {
	inBubble(t, func(b *harness) {
		cleo := b.come(keyed("cleo"))
		cleo.press("4")
		cleo.mustSee("No match now.")
		first, second := b.pair("notakto/2")
		b.advance(listEvery)
		cleo.mustSee("ann – bob", "2 boards                    0")
		b.play(first, second, "A5")
		b.advance(listEvery)
		cleo.mustSee("2 boards                    1")
	})
}

// The chosen row was another match once a busier one had come.
func TestTheChosenMatchStaysChosen(t *testing.T) {
	w := newWatch(nil)
	w.rows, w.row = []match.Summary{{ID: "a"}, {ID: "b"}}, 1
	for _, step := range []struct {
		list []match.Summary
		row  int
	}{
		{[]match.Summary{{ID: "c"}, {ID: "a"}, {ID: "b"}}, 2},
		{[]match.Summary{{ID: "b"}, {ID: "a"}}, 0},
		{[]match.Summary{{ID: "a"}}, 0},
		{nil, 0},
	} {
		if w.take(step.list); w.row != step.row {
			t.Errorf("row %d of %v, want %d", w.row, step.list, step.row)
		}
	}
}

// Watching one's own match from the list leads to one's seat.
func TestWatchOwn(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		again := b.come(first.Player())
		again.press("4 enter")
		again.mustSee("(you)", "Your turn")
	})
}

// Where there is little room, neither name is dropped for the other.
func TestBothNamesAreListed(t *testing.T) {
	s := draw.NewCanvas(new(render.Grid), 40, 16, utf8Theme())
	named := func(one, other string) [2]match.Player { return [2]match.Player{{Name: one}, {Name: other}} }
	withComputer := func(one string) [2]match.Player {
		return [2]match.Player{{Name: one}, match.Computer(strategy.Perfect)}
	}
	for _, c := range []struct {
		players [2]match.Player
		want    string
	}{
		{named("ann", "bob"), "ann – bob"},
		{named("averyveryverylon", "another-long-one"), "averyver… – another…"},
		{named("averyveryverylon", "bob"), "averyveryvery… – bob"},
		{named("ann", "another-long-name"), "ann – another-long-…"},
		{withComputer("ann"), "ann – perfect (AI)"},
		{withComputer("averyveryverylon"), "aver… – perfect (AI)"},
	} {
		if got := fitNames(s, c.players, 20); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Two people at play stood below matches with the computer, which had no mark in a small window.
func TestPeopleAreListedBeforeComputers(t *testing.T) {
	inBubble(t, func(b *harness) {
		for _, name := range []string{"cyd", "gus"} {
			b.comeTo(keyed(name), start.Start{At: start.Computer, Level: strategy.Steady})
			b.comeTo(keyed("onlooker"), start.Start{At: start.Match})
		}
		b.pair("notakto/3")
		p := b.after(b.come(keyed("cleo")), "4")
		_, people := p.place("ann – bob")
		if _, computer := p.place("steady (computer)"); computer < people {
			t.Errorf("the computer comes first:\n%s", p.sees())
		}
		p.resize(40, 16)
		p.mustSee("ann – bob", "steady (computer) – gus")
	})
}
