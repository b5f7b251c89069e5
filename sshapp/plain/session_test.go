package plain

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// errStop is the cause with which the server ends a session.
var errStop = errors.New("the server is stopping; please come back in a moment")

// At a stop, a session tells once what becomes of its table, its place in the queue and a guest's seat. It names no
// time limit that does not run.
func TestStop(t *testing.T) {
	const stopping, kept = "The server is stopping; please come back in a moment.",
		" Your match is kept as it stands."
	inBubble(t, func(b *harness) {
		lobby := b.open(Config{Player: match.Player{ID: "SHA256:eve", Name: "eve"}})
		first, _ := b.pair(2)
		queue := b.open(Config{Player: match.Player{ID: "SHA256:dan", Name: "dan"},
			Start: start.Start{At: start.Queue}})
		drained := b.open(Config{Player: match.Player{ID: "SHA256:fay", Name: "fay"},
			Start: start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.TicTacToe()}}})
		table := b.open(Config{Player: match.Player{ID: "SHA256:cleo", Name: "cleo"},
			Start: start.Start{At: start.Private}})
		guest := b.open(Config{Player: guy(), Start: start.Start{At: start.Computer, Side: rules.First}})
		code := regexp.MustCompile(`Your return code: .* join .{8}\.`).FindString(guest.out.Take())
		if code == "" {
			t.Error("the guest is told no code")
		}
		for p, words := range map[*person]string{
			lobby: stopping, first: stopping + kept, guest: stopping + kept + " " + code,
			table: stopping + " Your table and its code are kept.",
			queue: stopping + " You were removed from the queue: type play again when you are back.",
		} {
			p.skips().stop(errStop)
			p.ended()
			p.expects(words + " Goodbye.")
			testkit.ErrorIs(t, p.err, errStop)
		}
		drained.skips()
		b.manager.Drain() // the queue closes a moment before the sessions end
		drained.expects("No new matches begin here now. You were removed from the queue.")
		drained.stop(errStop)
		drained.expects(stopping + " Goodbye.")
	})
}

// Without input a player is warned and then the session ends, except during the opponent's turn.
func TestIdle(t *testing.T) {
	const warning = "Still there? Press Enter to stay; if not, goodbye in 60 seconds."
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Idle: 10 * time.Minute}).skips()
		alone := b.open(Config{Player: guy(), Idle: 10 * time.Minute, Start: start.Start{At: start.Private}}).skips()
		pass(9 * time.Minute)
		a.expects(warning)
		alone.expects(warning) // no opponent comes
		a.types("")
		pass(time.Minute)
		alone.ended()
		pass(9 * time.Minute)
		a.hears("You were away for a while.\nGoodbye.\n")
		a.ended()
	})
	for _, then := range []string{"", "leave"} {
		inBubble(t, func(b *harness) { // the idle time restarts with the player's turn
			from := start.Start{At: start.Queue}
			a := b.open(Config{Player: ann(), Idle: 10 * time.Minute, Start: from})
			c := b.open(Config{Player: bob(), Idle: 10 * time.Minute, Start: from})
			if !strings.Contains(c.out.Take(), "Your turn.") {
				a, c = c, a
			}
			pass(8 * time.Minute)
			c.types("b5", then)
			a.skips()
			c.skips()
			pass(8 * time.Minute)
			a.expects()
			pass(time.Minute)
			a.expects(warning)
			c.expects()
		})
	}
}

// A session ends with its input, its context or its output. By then it has left the table. A goroutine left behind
// fails the bubble.
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
			inBubble(t, func(b *harness) {
				first, second := b.pair(2)
				end(first)
				first.ended()
				if received := first.out.Take(); !strings.HasSuffix(received, "Goodbye.\n") || first.err != nil {
					t.Error(received, first.err)
				}
				second.expects("ann is away, and loses the match unless back in 60 seconds.")
			})
		})
	}
}

func TestOutputFails(t *testing.T) {
	inBubble(t, func(b *harness) {
		out, in := io.Pipe()
		_ = out.Close()
		p := b.open(Config{Player: ann(), Out: in})
		p.ended()
		testkit.ErrorIs(t, p.err, io.ErrClosedPipe)
	})
}

// Names in other scripts used to be sent in UTF-8 to terminals of another locale, which showed each byte as a
// letter.
func TestOnlyASCIIWhereTheLocaleHasNoMore(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.open(Config{Player: match.Player{ID: "SHA256:wu", Name: "Áb井"}, ASCII: true}).hears("You are ?b?.")
	})
}

// A client that does not read holds up no other player. When it reads again, a few lines tell what it missed.
func TestSlowReader(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.pair(9)
		received, out := io.Pipe()
		w := b.open(Config{Player: guy(), Out: out, Start: start.Start{At: start.Match}})
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
			_, _ = io.Copy(&text, received)
		}()
		synctest.Wait()
		_ = w.in.Close()
		<-w.over
		_ = out.Close()
		<-read
		if shown := text.String(); strings.Count(shown, "Board ") != 18 || strings.Count(shown, "\n") > 5 {
			t.Error(shown)
		}
	})
}

// The session shows typed characters itself, and keeps the typed line whole when it prints changes.
func TestEcho(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Echo: true, Start: start.Start{At: start.Computer, Level: strategy.Club,
			Side: 1}}).skips()
		press := func(keys, shown string) {
			t.Helper()
			if _, err := io.WriteString(a.in, keys); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			testkit.Equal(t, a.out.Take(), shown, keys)
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
