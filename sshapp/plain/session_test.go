package plain

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/heard"
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// errStop is why the server ends a session.
var errStop = errors.New("the server is stopping; please come back in a moment")

// Who is at a table, waits or has a guest's seat hears at a stop what becomes of that, once, and without a limit that does not run.
func TestStop(t *testing.T) {
	const stopping, kept = "The server is stopping; please come back in a moment.", " Your match is kept, and goes on where it stands."
	inBubble(t, func(b *bed) {
		lobby := b.open(Door{Player: match.Player{ID: "SHA256:eve", Name: "eve"}})
		first, _ := b.pair(2)
		queue := b.open(Door{Player: match.Player{ID: "SHA256:dan", Name: "dan"}, Start: start.Place{At: start.Queue}})
		table := b.open(Door{Player: match.Player{ID: "SHA256:cleo", Name: "cleo"}, Start: start.Place{At: start.Private}})
		guest := b.open(Door{Player: guy(), Start: start.Place{At: start.Computer, Side: rules.First}})
		code := regexp.MustCompile(`Your way back: .* join .{8}\.`).FindString(guest.out.Take())
		if code == "" {
			t.Error("the guest is told no code")
		}
		for p, words := range map[*person]string{
			lobby: stopping, first: stopping + kept, guest: stopping + kept + " " + code,
			table: stopping + " Your table is kept, and its code.", queue: stopping + " " + queueClosed,
		} {
			p.ignores().stop(errStop)
			p.ended()
			p.hears(words + " Goodbye.")
			if !errors.Is(p.err, errStop) {
				t.Errorf("it ends with %v", p.err)
			}
		}
	})
}

// The queue is closed a moment before the sessions end, and that is not told twice.
func TestStopOfTheQueue(t *testing.T) {
	inBubble(t, func(b *bed) {
		a := b.open(Door{Player: ann(), Start: start.Place{At: start.Queue}}).ignores()
		b.manager.Drain()
		a.hears("The server is stopping. " + queueClosed)
		a.stop(errStop)
		a.hears("The server is stopping; please come back in a moment. Goodbye.")
	})
}

// Who types nothing is warned, then sent home; who waits for the opponent's move is not.
func TestIdle(t *testing.T) {
	inBubble(t, func(b *bed) {
		a := b.open(Door{Player: ann(), Idle: 10 * time.Minute}).ignores()
		pass(9 * time.Minute)
		a.hears("Still there? Press Enter to stay; if not, goodbye in 60 seconds.")
		a.types("")
		pass(9 * time.Minute)
		a.ignores()
		pass(time.Minute)
		a.hears("You were away for a while.", "Goodbye.")
		a.ended()
	})
	inBubble(t, func(b *bed) {
		from := start.Place{At: start.Private} // to which nobody comes
		a := b.open(Door{Player: ann(), Idle: 10 * time.Minute, Start: from}).ignores()
		pass(9 * time.Minute)
		a.hears("Still there? Press Enter to stay; if not, goodbye in 60 seconds.")
		pass(time.Minute)
		a.ignores().ended()
	})
	for _, then := range []string{"", "leave"} {
		inBubble(t, func(b *bed) { // the time to think begins when the turn comes
			a := b.open(Door{Player: ann(), Idle: 10 * time.Minute, Start: start.Place{At: start.Queue}})
			c := b.open(Door{Player: bob(), Idle: 10 * time.Minute, Start: start.Place{At: start.Queue}})
			if !strings.Contains(c.out.Take(), "Your turn.") {
				a, c = c, a
			}
			a.ignores()
			pass(8 * time.Minute)
			c.types("b5")
			c.types(then)
			a.ignores()
			c.ignores()
			pass(8 * time.Minute)
			a.hears()
			pass(time.Minute)
			a.hears("Still there? Press Enter to stay; if not, goodbye in 60 seconds.")
			c.hears()
		})
	}
}

// A session ends with its input, its context or its output, and has left the table then. Whatever is left behind fails the bubble.
func TestEnds(t *testing.T) {
	for name, end := range map[string]func(*person){
		"input":   func(p *person) { _ = p.in.Close() },
		"context": func(p *person) { p.stop(nil) },
		"quit":    func(p *person) { p.types("quit") },
		"exit":    func(p *person) { p.types("EXIT") },
		"Ctrl-C":  func(p *person) { _, _ = p.in.Write([]byte("x\x03")) },
		"Ctrl-D":  func(p *person) { _, _ = p.in.Write([]byte("\x04")) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(b *bed) {
				first, second := b.pair(2)
				end(first)
				first.ended()
				if heard := first.out.Take(); !strings.HasSuffix(heard, "Goodbye.\n") || first.err != nil {
					t.Error(heard, first.err)
				}
				second.hears("ann is away, and loses the match unless back in 60 seconds.")
			})
		})
	}
}

func TestOutputFails(t *testing.T) {
	inBubble(t, func(b *bed) {
		out, in := io.Pipe()
		_ = out.Close()
		p := b.open(Door{Player: ann(), Out: in})
		p.ended()
		if !errors.Is(p.err, io.ErrClosedPipe) {
			t.Error(p.err)
		}
	})
}

// A client that does not read holds up nobody but itself, and hears what it missed in few lines when it reads on.
func TestSlowReader(t *testing.T) {
	inBubble(t, func(b *bed) {
		a, c := b.pair(9)
		heard, out := io.Pipe()
		w := b.open(Door{Player: guy(), Out: out, Start: start.Place{At: start.Match}})
		for board := range 9 {
			name := string(rune('a' + board))
			a.types(name + "5")
			c.types(name + "1")
		}
		if seen := b.manager.List()[0].Plies; seen != 18 {
			t.Fatalf("%d moves were made", seen)
		}
		var text strings.Builder
		read := make(chan struct{})
		go func() {
			defer close(read)
			_, _ = io.Copy(&text, heard)
		}()
		synctest.Wait()
		_ = w.in.Close()
		<-w.over
		_ = out.Close()
		<-read
		if told := text.String(); strings.Count(told, "Board ") != 18 || strings.Count(told, "\n") > 5 {
			t.Error(told)
		}
	})
}

// The session goes on after a flood.
func TestFlood(t *testing.T) {
	inBubble(t, func(b *bed) {
		a := b.come(ann())
		const flood = 100 << 10
		if _, err := io.WriteString(a.in, strings.Repeat("boards\n", flood/7)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		a.ignores()
		a.asked("mine", "You have no match on.")
	})
}

// With a terminal that shows nothing of its own accord, what is typed is shown, and news does not tear it apart.
func TestEcho(t *testing.T) {
	inBubble(t, func(b *bed) {
		a := b.open(Door{Player: ann(), Echo: true, Start: start.Place{At: start.Computer, Level: strategy.Club, Side: 1}}).ignores()
		press := func(keys, shown string) {
			t.Helper()
			if _, err := io.WriteString(a.in, keys); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := a.out.Take(); got != shown {
				t.Errorf("%q shows %q, want %q", keys, got, shown)
			}
		}
		press("b", "b")
		press("é", "é")
		press("\x7f", "\b \b")
		press("\x1b[A\x1bOP", "")
		press("\x08\x08\x08", "\b \b")
		press("b5\r", "b5\nBoard B: you at 5. The computer's turn.\n")
		press("bo", "bo")
		pass(time.Second)
		if got := a.out.Take(); !strings.HasPrefix(got, "\nBoard ") || !strings.HasSuffix(got, " Your turn.\nbo") {
			t.Errorf("the news shows %q", got)
		}
		press("ard b\r\n", "ard b\nBoard B: X at 5; free 1 2 3 4 6 7 8 9.\n")
		press("turn\nwho\n", "turn\n2 moves so far, the last A5 by the computer. Your turn.\n"+
			"who\nYou are ann. You move first. The computer, level club, moves second.\n")
	})
}

// Serve does not begin when it is over already, and leaves nothing behind.
func TestCancelledBefore(t *testing.T) {
	inBubble(t, func(b *bed) {
		ctx, cancel := context.WithCancel(b.Context())
		cancel()
		out := new(heard.Text)
		err := Serve(ctx, Door{Player: ann(), Manager: b.manager, In: strings.NewReader("play\n"), Out: out, Start: start.Place{At: start.Private}})
		if heard := out.Take(); err != nil || !strings.HasSuffix(heard, "Goodbye.\n") {
			t.Error(heard, err)
		}
		if mine := b.manager.Of(ann().ID); len(mine) > 0 {
			pass(time.Minute)
		}
		if mine := b.manager.Of(ann().ID); len(mine) > 0 {
			t.Error(mine)
		}
	})
}
