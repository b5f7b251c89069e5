package tui

import (
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"notakto/sshapp/render"
	"notakto/sshapp/tui/draw"
)

// wire measures the bytes that go to a person's terminal of 80x24 and 256 colours.
type wire struct {
	*person
	terminal *render.Screen
	first    string // the bytes of the first screen
}

func wireTo(p *person) *wire {
	p.env.setTheme(draw.NewTheme(draw.Auto, colorprofile.ANSI256, draw.Unicode))
	w := &wire{person: p, terminal: render.NewScreen(render.FromTerm("xterm-256color"), 80, 24)}
	w.first = w.sent()
	return w
}

// sent returns the bytes that bring the terminal up to date.
func (w *wire) sent() string {
	var grid render.Grid
	w.Render(&grid)
	return string(w.terminal.Draw(nil, render.Frame{Grid: &grid, Title: w.Title(), Bell: w.Bell()}))
}

// costs fails if a step takes no bytes, or more than most.
func (w *wire) costs(what string, most int) {
	w.Helper()
	switch sent := w.sent(); {
	case sent == "":
		w.Errorf("%s changes nothing:\n%s", what, w.sees())
	case len(sent) > most:
		w.Errorf("%s takes %d bytes, more than %d: %q", what, len(sent), most, sent)
	default:
		w.Logf("%3d %s %q", len(sent), what, sent)
	}
}

// The most bytes that a step may take.
const (
	forCursor     = 110
	forMove       = 60
	forAnswer     = 145 // includes the cursor, because it moves to a free cell
	forTurnBanner = 60
)

func TestTableIsCheapToPlayAt(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		w := wireTo(first)
		for _, key := range []string{"tab", "left", "right", "up", "down"} {
			first.press(key)
			w.costs(key, forCursor)
		}
		first.press("enter")
		w.costs("a move", forMove)
		b.play(second, first, "B7")
		w.costs("an answer", forAnswer)
		first.press("C")
		w.sent()
		first.press("enter")
		w.costs("another move", forMove)
		b.advance(time.Second)
		w.costs("a second", forTurnBanner)
		b.play(second, first, "C7")
		w.costs("a late answer", forAnswer+forTurnBanner)
	})
}

// A whole frame must fit into the kernel's buffer for a client, even on the largest canvas. Otherwise the writer
// would have to wait for a client that reads.
func TestTheLargestFrame(t *testing.T) {
	inBubble(t, func(b *harness) {
		var moves []string
		for _, cell := range []string{"1", "6", "8", "2", "9", "4"} { // as many crosses as a living board can hold
			for _, board := range "ABCDEFGHI" {
				moves = append(moves, string(board)+cell)
			}
		}
		p := b.play2("notakto/9", moves...)
		p.resize(200, 60)
		w := wireTo(p)
		w.terminal = render.NewScreen(render.FromTerm("xterm-256color"), 200, 60)
		w.costs("the first frame", 14<<10)
	})
}

func TestAClockIsCheap(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3 5+0", "A5", "B5", "1s")
		mover, waiter := wireTo(first), wireTo(second)
		for left := 298; left > 120; left-- {
			b.advance(time.Second)
			sent := mover.sent() + waiter.sent()
			if isMinute := left%60 == 0; (sent != "") != isMinute && left > 121 || len(sent) > 120 {
				t.Fatalf("with %d s left it sends %q", left, sent)
			}
		}
		for left := 120; left > 20; left-- {
			b.advance(time.Second)
			mover.costs("a second", 40)
			waiter.costs("a second of the opponent's", 40)
		}
		b.advance(time.Second)
		mover.costs("the last 20 seconds", 130) // with the notice
		waiter.costs("those of the opponent", 130)
		for range 15 {
			b.advance(time.Second)
			mover.costs("a second", 60)
			waiter.costs("a second of the opponent's", 60)
		}
	})
}
