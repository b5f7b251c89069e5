package tui

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

func TestTakebackBetweenPeople(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		first.press("u")
		first.mustSee("You have made no move to take back.")
		b.play(first, second, "A5")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		first.press("u")
		first.mustSee("You ask to take back A5. Waiting for bob.")
		cleo.mustSee("ann asks to take back A5.")
		second.press("u") // before bob can have read the question
		second.mustSee("ann asks to take back A5: u agrees, n declines.")
		second.press("1s n")
		first.mustSee("bob declined.")
		second.mustNotSee("asks")
		first.press("u")
		first.mustSee("Declined: ask again after a move.")
		b.play(second, first, "B5")
		first.press("u 1s")
		second.press("u")
		first.mustSee("You took back A5, and the answer B5.", "Your turn")
		for _, p := range []*person{second, cleo} {
			p.mustSee("ann took back A5, and the answer B5.")
		}
		b.play(first, second, "A1", "1s")
		first.mustSee("bob's turn") // the banner, which a takeback once delayed for ever
		b.play(second, first, "B1") // the same numbers again
		second.press("u 1s")
		first.press("u")
		b.play(second, first, "B2")
	})
}

func TestHintsBetweenPeople(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/2")
		first.press("i").mustSee("You ask for hints, for both of you. Waiting for bob.")
		second.mustSee("ann asks for hints, for both of you: i agrees, n declines.")
		second.press("1s i i").mustSee("It is not your turn yet.")
		first.mustSee("i shows a hint in your turn, from now on.")
		first.press("i").mustSee("Why is it lost?")
	})
}

// A player who goes back and forth once left a read of the database behind with each key.
func TestAReadEndsWhenTheNextOneBegins(t *testing.T) {
	e, began, ended := &env{ctx: t.Context()}, make(chan bool), make(chan tea.Msg)
	first := e.readLatest(&e.page, func(ctx context.Context) (tea.Msg, error) {
		began <- true
		<-ctx.Done()
		return "late", nil
	})
	go func() { ended <- first() }()
	<-began
	other := e.readLatest(&e.today, func(ctx context.Context) (tea.Msg, error) { return "today", ctx.Err() })
	next := e.readLatest(&e.page, func(ctx context.Context) (tea.Msg, error) { return "next", ctx.Err() })
	if msg := <-ended; msg != nil {
		t.Errorf("the first read gives %v", msg)
	}
	if one, two := other(), next(); one != "today" || two != "next" {
		t.Errorf("the others give %v and %v", one, two)
	}
}

func TestHelpAgainstTheComputer(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Level: strategy.Perfect, Side: rules.First})
		p.press("5 2s u")
		p.mustSee("You took back A5", "Your turn")
		p.press("B i")
		p.mustSee("Look at board A. With hints, this match counts for no level.")
		p.press("i")
		p.mustSee("Play A1.")
		p.press("i")
		p.mustSee("Why A1?", "y play on")
		p.press("enter")
		p.mustNotSee("Why A1?")
		p.press("1s enter")
		if moves := tableOf(p.screen).Moves; len(moves) == 0 || moves[0] != (rules.Move{Cell: 1}) {
			t.Errorf("Enter placed %v", moves)
		}
	})
}
