package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// The review goes through the match move by move, says what each position was and what would have kept it, and shows
// the boards of then.
func TestReview(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A1", "A2", "A5", "A6")
		first.press("r y v")
		first.mustSee("Review: ann – bob, 1 board, you lost", "Who was winning")
		rows := reviewRows(first)
		if len(rows) != 4 || rows[0] != "1 A1 ✗ ann       ██" || rows[1] != "2 A2 ✗ bob    ██" {
			t.Fatalf("%q", rows)
		}
		first.mustSee("▀▄ ▄▀")
		first.press("home")
		first.mustSee("A slip. A5 ◆ wins. Now A9 wins.", "◆")
		first.press("n")
		first.mustSee("▸  2 A2")
		first.press("up")
		if n := strings.Count(first.sees(), "▀▄ ▄▀"); n != 1 {
			t.Errorf("%d crosses after the first move:\n%s", n, first.sees())
		}
		first.press("down")
		if n := strings.Count(first.sees(), "▀▄ ▄▀"); n != 2 {
			t.Errorf("%d crosses after the second move:\n%s", n, first.sees())
		}
		first.press("end down down esc")
		first.mustSee("You resigned a won position.")
	})
}

// Where no side was ever winning, the band was empty beside "Who was winning".
func TestABandWithoutALeaderSaysSo(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("tictactoe")
		first.resize(120, 40)
		first.press("5")
		second.press("7")
		first.press("r y")
		first.mustSee("You resigned.", "Drawn after every move")
		first.mustNotSee("Who was winning")
	})
}

// A move that is played again came up as a match like any other, without a word.
func TestPlayingOnSaysWhichMove(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5", "B5", "A1")
		first.press("r y v up")
		first.press("p")
		first.mustSee("Move 2 again, against the computer.", "Moves", "● Your turn")
		first.press("left")
		first.mustNotSee("again, against the computer")
	})
}

// reviewRows are the rows of the review's list.
func reviewRows(p *person) []string {
	var rows []string
	for line := range strings.Lines(p.sees()) {
		for ply := 1; ply < 10; ply++ {
			if at := strings.Index(line, fmt.Sprintf(" %d A", ply)); at >= 0 && strings.HasSuffix(line, "██\n") {
				rows = append(rows, strings.TrimSpace(line[at:]))
			}
		}
	}
	return rows
}

// In the smallest window the review has three boards, and the moves around the chosen one.
func TestSmallReviewShowsTheBoards(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		p.resize(40, 16)
		p.press("v")
		p.mustSee("A dead", "B dead", "[7]", "11 C2", "12 C7", "◆ C6")
	})
}

// The review works in every window for every variant and length of a match: the boards, the list of moves, the band and
// the text do not cover each other, and either the list or the band names the moves.
func TestReviewFits(t *testing.T) {
	for _, v := range variants() {
		for _, size := range append(sizes(), [2]int{120, 40}, [2]int{200, 60}) {
			for _, moves := range []int{1, 12, 9 * v.Boards()} {
				area := draw.Rect{X: 1, Y: 1, Width: size[0] - 2, Height: size[1] - 3}
				p := planReview(area, v, moves, 3)
				if _, named := bandStep(p.band.Width, moves); p.list.Width == 0 && !named ||
					p.list.Width > 0 && (p.list.Height < leastListed || p.list.Width < panelWidth) {
					t.Errorf("%v at %v: the list has %v, the band %v", v, size, p.list, p.band)
				}
				taken := []draw.Rect{p.text, p.list, p.band}
				for i := range v.Boards() {
					if !p.boards.IsEmpty() {
						taken = append(taken, p.boards.Board(i))
					}
				}
				for i, one := range taken {
					if one.Width > 0 && !contains(area, one) {
						t.Errorf("%v at %v: part %d takes %v of %v", v, size, i, one, area)
					}
					for j, other := range taken[:i] {
						if overlap(one, other) {
							t.Errorf("%v at %v: part %d takes %v, part %d %v", v, size, i, one, j, other)
						}
					}
				}
			}
		}
	}
}

func contains(area, part draw.Rect) bool {
	return part.X >= area.X && part.Y >= area.Y && part.X+part.Width <= area.X+area.Width &&
		part.Y+part.Height <= area.Y+area.Height
}

func overlap(one, other draw.Rect) bool {
	return one.X < other.X+other.Width && other.X < one.X+one.Width && one.Y < other.Y+other.Height &&
		other.Y < one.Y+one.Height
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
		{rules.Outcome{Winner: rules.First, Reason: rules.Boards}, rules.Nobody, "ann won",
			"棋棋棋棋棋棋棋棋 killed the last board."},
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

// From any move of the review a player goes on against the computer, as the one who made it; so may a spectator.
func TestPlayOn(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A5", "A1", "A2", "A9")
		first.press("v")
		for _, p := range []*person{
			first, b.comeTo(keyed("cleo"), start.Start{At: start.Match, Match: tableOf(first.screen).ID}),
		} {
			p.press("home down down g")
			p.mustSee("Before A2: A ", "The player to move loses at a, bb, bc and cc")
			p.press("g p")
			at := tableOf(p.screen)
			if !at.IsMyTurn() || at.Side != rules.First || !at.IsAgainstComputer() || len(at.Moves) != 2 {
				t.Errorf("%+v", at.State)
			}
			p.press("r y esc")
		}
	})
}

// The review said that Enter accepts, and Enter did nothing; and the same line hid what it says of a move.
func TestRematchFromTheReview(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A5", "A1", "A2", "A9")
		second.press("v")
		second.mustSee("Review: ")
		first.press("enter")
		second.mustSee("wants a rematch: Enter accepts.", "A slip. A4 ◆ wins: then every free cell kills A.")
		second.press("enter")
		second.mustSee("Your turn")
	})
}

// An Enter that was pressed at the table, and came after the end, began another match before the result was seen.
func TestAKeyPressedAtTheTableBeginsNoMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.press("r y")
		for _, name := range []string{"enter", "5", "enter"} {
			p.send(keyPress(name))
			p.mustSee("You resigned.", "Enter rematch")
		}
		b.advance(p.env.unseen())
		p.send(keyPress("enter"))
		p.mustSee("ann (you) ▐")
	})
}

// On a slow link a key is an answer once it was pressed after the result stood there long enough to be read.
func TestTheResultIsReadOnASlowLinkToo(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.env.roundTrip = func() time.Duration { return 200 * time.Millisecond }
		p.press("r y")
		b.advance(200*time.Millisecond + reaction - time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("You resigned.", "Enter rematch")
		b.advance(time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("ann (you) ▐")
	})
}

// On a slow link a key that was pressed before the result, or the question, could be seen was taken for an answer.
func TestAKeyThatWasOnItsWayIsNoAnswer(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First})
		p.env.roundTrip = func() time.Duration { return 200 * time.Millisecond }
		p.send(keyPress("r"))
		b.advance(300 * time.Millisecond)
		p.send(keyPress("y"))
		p.mustSee("Resign this match?")
		b.advance(200 * time.Millisecond)
		p.send(keyPress("y"))
		p.mustSee("You resigned.")
		b.advance(300 * time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("Enter rematch")
		b.advance(200 * time.Millisecond)
		p.send(keyPress("enter"))
		p.mustSee("ann (you) ▐")
	})
}

// On a slow link a move that was typed before the opponent's could be seen was made.
func TestAMoveThatWasOnItsWayIsNotMade(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		second.env.roundTrip = func() time.Duration { return 200 * time.Millisecond }
		second.press("m")
		first.press("5")
		b.advance(100 * time.Millisecond)
		second.press("1")
		second.mustSee("It is your turn now: look, then press the key again.")
		second.resize(40, 16)
		second.press("1")
		second.mustSee("Your turn has come: press again.")
		second.click("7")
		second.mustNotSee("press again")
		first.press("4")
		b.advance(200 * time.Millisecond)
		second.press("1")
		first.mustSee("Your turn")
		if n := len(tableOf(first.screen).Moves); n != 4 {
			t.Errorf("%d moves were made", n)
		}
	})
}

// A move that kills a board was shown after its lines were wiped: it could not be seen where a better one was.
func TestAReviewShowsAKillingMoveBeforeItIsMade(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9")
		p.press("v up up")
		p.mustSee("4 B1")
		p.mustNotSee("dead", "┏")
		p.press("right")
		p.mustSee("5 A9", "┏     ┓")
		p.mustNotSee("dead")
		p.press("right")
		p.mustSee("6 B9  A slip.", "A dead", "┏     ┓", "◆", "Match ")
		p.mustNotSee("B dead")
	})
}

// The line that can be shared was shown nowhere before it was copied.
func TestTheResultShowsTheLineToShare(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/2", "A5", "B5", "A1", "B1", "A9", "B9")
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			p.resize(size[0], size[1])
			p.mustSee("Notakto ▦▦ beat bob in 6 moves", "s share")
		}
		p.press("enter")
		p.mustSee("You want a rematch.", "s share")
		p.resize(40, 16)
		p.mustSee("v review", "Esc back")
	})
}

// A small window told neither the slip nor what would have won, and at 80x24 the band had no moves.
func TestTheResultTellsWhatWouldHaveWon(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		p.mustSee("Who was winning", "B4  A5  A9  A1", "C7. C6 would have won for bob.")
		p.resize(40, 16)
		p.mustSee("bob slipped: C6 would have won.")
	})
}

// With a long name the end of the sentence was cut, which says what would have won.
func TestTheResultWithLongNames(t *testing.T) {
	inBubble(t, func(b *harness) {
		from := start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.DefaultVariant()}, Untimed: true}
		first, second := b.comeTo(keyed("ann of long name"), from), b.comeTo(keyed("bob of long name"), from)
		if !tableOf(first.screen).IsMyTurn() {
			first, second = second, first
		}
		b.play(first, second, "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		first.mustSee(" of long name killed the last board.  Last slip: C7. C6 would have won.")
		second.mustSee("You killed the last board.  Last slip: C7. C6 would have won.")
		first.resize(40, 16)
		first.mustSee("Last slip: C7. C6 would have won.")
		first.resize(120, 40)
		first.mustSee(" of long name's last slip was move 12, C7. C6 would have won.")
	})
}

// What perfect play says is not known at once: a review that was asked for before that was never shown.
func TestAReviewThatWasAskedForEarlyIsShown(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A1", "A2", "A5", "A6")
		first.press("r y")
		r := newResult(first.env, tableOf(first.screen))
		if to, _ := r.update(keyPress("v")); to != nil {
			t.Fatalf("without reviews the key leads to %+v", to)
		}
		reviews := strategy.Review(r.table.Start, r.table.Moves)
		if to, _ := r.update(reviewed{r.table, reviews}); to != (toReview{r, len(reviews) - 1}) {
			t.Errorf("with reviews it goes on to %+v", to)
		}
		if _, offer := r.update(keyPress("enter")); offer == nil {
			t.Error("a player who has seen the review gets no rematch")
		}
	})
}

// n goes to the slips of both players, and says so where it has nowhere to go.
func TestTheNextMistake(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A1", "A2", "A5", "A6")
		first.press("r y v")
		for _, move := range []string{"1 A1", "2 A2"} {
			first.press("n")
			first.mustSee("▸  " + move)
		}
	})
	for moves, want := range map[string]string{
		"A5": "There is no slip in this match.",
		"A1": "This is the only slip of the match.",
	} {
		inBubble(t, func(b *harness) {
			first, second := b.pair("notakto/1")
			b.play(first, second, strings.Fields(moves)...)
			second.press("r y v n")
			second.mustSee(want)
		})
	}
}

// In a small window the row below the boards was empty after a resignation: it says who was winning. All keys that a
// player needs are in the last row.
func TestASmallWindowUsesItsLastRows(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/2")
		first.resize(40, 16)
		second.resize(40, 16)
		first.mustSee("1-9 place  Tab board  q leave   ? help")
		b.play(first, second, "A5", "B5", "A1", "B1")
		first.press("r y")
		first.mustSee("bob was winning.")
		second.mustSee("You were winning.")
		first.press("v")
		first.mustSee("4 B1 ✓ bob", "←→ move  n slip  g theory  Esc back")
	})
}

// A tall window has room for what is to be learnt: the rule of thumb on the result, and the theory in the review, which
// a key hides.
func TestATallWindowTeaches(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.play2("notakto/3", "B4", "A5", "A9", "A1", "B2", "B5", "B3", "B6", "C3", "C5", "C2", "C7")
		const rule = "Rule of thumb: on the last board, count the safe cells and leave none."
		p.mustNotSee(rule)
		p.resize(120, 40)
		p.mustSee(rule)
		p.press("v")
		p.mustSee("Each board is worth", "A slip.")
		p.press("g")
		p.mustNotSee("Each board is worth")
	})
}
