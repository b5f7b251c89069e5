package plain

import (
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/start"
)

// The players and a later spectator hear of a draw.
func TestDraw(t *testing.T) {
	inBubble(t, func(b *harness) {
		from := start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.TicTacToe()}}
		a, c := b.open(Config{Player: ann(), Start: from}), b.open(Config{Player: bob(), Start: from})
		a.types("turn")
		if !strings.Contains(a.out.Take(), "Your turn.") {
			a, c = c, a
		}
		id := b.manager.List()[0].ID
		c.skips()
		for i, cell := range strings.Split("512873469", "") {
			[]*person{a, c}[i%2].types(cell)
		}
		if received := a.out.Take(); !strings.HasSuffix(received,
			"You at 9. The board is full. A draw. Type rematch, review or leave.\n") {
			t.Error(received)
		}
		a.asked("boards", "The board: O at 2, 4, 5, 7 and 9; X at 1, 3, 6 and 8; nothing free.")
		a.asked("review 1", "Move 1, 5 by you. Every move draws.")
		w := b.come(match.Player{ID: "SHA256:wes", Name: "wes"})
		w.types("watch " + string(id))
		const end = "ann at 9.\nThe board is full. A draw. Type review to look back, or leave.\n"
		if received := w.out.Take(); !strings.HasSuffix(received, end) {
			t.Error(received)
		}
	})
}

// A table that closes during the match leads back to the lobby. The match is kept.
func TestTableCloses(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		b.manager.Close()
		a.expects("The table has closed. The match is kept: type mine to hear your matches.")
		a.asked("b5", "You are at no table. Type play, computer, private or join first.")
	})
}

func TestSpectators(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		for _, name := range []string{"wes", "xan"} {
			b.open(Config{
				Player: match.Player{ID: match.PlayerID("SHA256:" + name), Name: name}, Start: start.Start{At: start.Match},
			})
		}
		pass(time.Second) // spectators who come together are reported together
		a.asked("who", "You are ann. You move first. bob moves second. 2 people are watching.")
		a.asked("matches", "1 match in progress.", "1: ann against bob, 2 boards, 0 moves, 2 watching.",
			"Type watch and a number to watch a match.")
	})
}
