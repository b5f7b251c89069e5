package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// The review goes through the match move by move, says what each position was and what would have kept it, and shows
// the boards of then.
func TestReview(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A1", "A2", "A5", "A6")
		first.press("r y v")
		first.mustSee("Review: You lost", "move by", "best")
		rows := reviewRows(first)
		if len(rows) != 4 || !strings.HasPrefix(rows[0], "1 A1 ✗") || !strings.HasSuffix(rows[0], "won   A5") {
			t.Fatalf("%q", rows)
		}
		first.mustSee("▀▄ ▄▀")
		first.press("home")
		first.mustSee("A slip. bob can win by A9. Better: A5", "◆")
		first.press("n")
		first.mustSee("▸  2 A2")
		first.press("up")
		if n := countAny(first.sees(), "█●"); n != 1 {
			t.Errorf("%d crosses after the first move:\n%s", n, first.sees())
		}
		first.press("down")
		if n := countAny(first.sees(), "█●"); n != 2 {
			t.Errorf("%d crosses after the second move:\n%s", n, first.sees())
		}
		first.press("end down down esc")
		first.mustSee("You resigned a won position.")
	})
}

// reviewRows are the rows of the review's list.
func reviewRows(p *person) []string {
	var rows []string
	for line := range strings.Lines(p.sees()) {
		for ply := 1; ply < 10; ply++ {
			if at := strings.Index(line, fmt.Sprintf(" %d A", ply)); at >= 0 && strings.Contains(line, "lost") || at >= 0 && strings.Contains(line, "won") {
				rows = append(rows, strings.TrimSpace(line[at:]))
			}
		}
	}
	return rows
}

// The review works in the smallest window for every variant.
func TestReviewFits(t *testing.T) {
	for _, v := range variants() {
		for _, size := range sizes() {
			boards, list := planReview(draw.Rect{X: 1, Y: 1, Width: size[0] - 2, Height: size[1] - 3}, v)
			if list.Height < 5 || list.Width < 38 || list.Y+list.Height > size[1]-2 {
				t.Errorf("%v at %v: the list has %v", v, size, list)
			}
			for i := range v.Boards() {
				if boards == (draw.Arrangement{}) {
					break // there is only the list
				}
				at := boards.Board(i)
				inside := at.X+at.Width <= list.X || at.Y+at.Height <= list.Y
				if !inside || at.X < 0 || at.Y < 1 || at.Width < 11 {
					t.Errorf("%v at %v: board %d takes %v beside the list %v", v, size, i, at, list)
				}
			}
		}
	}
}

// Each way to end a match has its words, for the winner, the loser and someone who looked on.
func TestOutcomeWords(t *testing.T) {
	state := stateOf(t, middle(rules.DefaultVariant()))
	for _, c := range []struct {
		outcome           rules.Outcome
		side              rules.Side
		headline, because string
	}{
		{rules.Outcome{Winner: rules.First, Reason: rules.Boards}, rules.First, "You won", "棋棋棋棋棋棋棋棋 killed the last board."},
		{rules.Outcome{Winner: rules.Second, Reason: rules.Boards}, rules.First, "You lost", "You killed the last board."},
		{rules.Outcome{Winner: rules.First, Reason: rules.Boards}, rules.Nobody, "ann won", "棋棋棋棋棋棋棋棋 killed the last board."},
		{rules.Outcome{Winner: rules.First, Reason: rules.Resign}, rules.Second, "You lost", "You resigned."},
		{rules.Outcome{Winner: rules.First, Reason: rules.Abandoned}, rules.Second, "You lost", "You stayed away too long."},
		{rules.Outcome{Winner: rules.Second, Reason: rules.Time}, rules.Second, "You won", "ann ran out of time."},
		{rules.Outcome{Winner: rules.First, Reason: rules.Line}, rules.First, "You won", "You made three in a row."},
		{rules.Outcome{Reason: rules.Draw}, rules.First, "A draw", "No cell is left."},
	} {
		state.Outcome = c.outcome
		at := &client.Table{Side: c.side, Snapshot: &match.Snapshot{State: &state}}
		if headline(at) != c.headline || reasonText(at) != c.because {
			t.Errorf("%v for %d: %q, %q", c.outcome, c.side, headline(at), reasonText(at))
		}
	}
}

// Every refusal that a player can meet has a sentence of its own, short enough for the smallest window.
func TestSentences(t *testing.T) {
	other := wording.ShortError(errors.New("disk on fire"))
	for _, err := range []error{
		rules.ErrCellTaken, rules.ErrBoardDead, rules.ErrOver, match.ErrNotYourTurn, match.ErrNotStarted, match.ErrMatchOver, match.ErrNotOver,
		match.ErrNoSuchMatch, match.ErrNotSeated, match.ErrNoSuchTable, match.ErrTableFull, match.ErrSeatInUse, match.ErrOwnTable, match.ErrAlreadySeeking,
		match.ErrTooMany, match.ErrAddressFull, match.ErrRateLimited, match.ErrDraining, match.ErrClosed, match.ErrDamaged, match.ErrNewer,
	} {
		text := wording.ShortError(fmt.Errorf("placing: %w", err))
		if text == other || len(text) > minWidth-2 {
			t.Errorf("%v: %q", err, text)
		}
	}
}

// The review said that Enter accepts, and Enter did nothing; and the same line hid what it says of a move.
func TestRematchFromTheReview(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A5", "A1", "A2", "A9")
		second.press("v")
		second.mustSee("Review: ", "Enter: a rematch")
		first.press("enter")
		second.mustSee("wants a rematch: Enter accepts.", "A slip. A4 leaves no safe cell on A. Better: A4")
		second.press("enter")
		second.mustSee("Your turn")
	})
}

// An Enter that was pressed at the table, and came after the end, began another match before the result was seen.
func TestAKeyPressedAtTheTableBeginsNoMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.press("r y")
		p.send(keyPress("enter"))
		p.mustSee("You resigned.", "Enter: a rematch")
		b.advance(p.session.unseen())
		p.send(keyPress("enter"))
		p.mustSee("ann (you) 2")
	})
}

// On a slow link a key that was pressed before the result, or the question, could be seen was taken for an answer.
func TestAKeyThatWasOnItsWayIsNoAnswer(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.session.roundTrip = func() time.Duration { return 200 * time.Millisecond }
		p.send(keyPress("r"))
		b.advance(300 * time.Millisecond)
		p.send(keyPress("y"))
		p.mustSee("Resign this match?")
		b.advance(200 * time.Millisecond)
		p.send(keyPress("y"))
		p.mustSee("You resigned.")
		b.advance(300 * time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("Enter: a rematch")
		b.advance(200 * time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("ann (you) 2")
	})
}

// On a slow link a move that was typed before the opponent's could be seen was made.
func TestAMoveThatWasOnItsWayIsNotMade(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		second.session.roundTrip = func() time.Duration { return 200 * time.Millisecond }
		first.press("5")
		b.advance(100 * time.Millisecond)
		second.press("1")
		second.mustSee("It is your turn now: look, then press again.")
		b.advance(100 * time.Millisecond)
		second.press("1")
		first.mustSee("Your turn")
		if n := len(tableOf(first.screen).Moves); n != 2 {
			t.Errorf("%d moves were made", n)
		}
	})
}
