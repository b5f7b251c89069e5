package plain

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/sshapp/start"
)

// said is a code that stands behind some words in what was heard.
func (p *person) said(before string) string {
	p.Helper()
	received := p.out.Take()
	m := regexp.MustCompile(before + `([A-Z0-9]{4})\b`).FindStringSubmatch(received)
	if m == nil {
		p.Fatalf("no %q in %s", before, received)
	}
	return m[1]
}

// A private table: its code is told letter by letter, and may be typed so.
func TestPrivate(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.types("private 1")
		received := a.out.Take()
		code := regexp.MustCompile(`types join (\w{4})\.`).FindStringSubmatch(received)[1]
		letters := strings.Join(strings.Split(code, ""), " ")
		if want := "Your private table, 1 board. You move first. The code is " + letters +
			": your opponent types join " + code + ". The match begins when someone sits down.\n"; received != want {
			t.Errorf("heard %swant %s", received, want)
		}
		a.asked("", "Waiting for your opponent. The code is "+letters+".")
		a.asked("who", "You are ann. You move first. No opponent has come yet to move second.")
		a.asked("5", "You have no opponent yet: wait for one, or type leave to close the table.")
		a.asked("play", "Your private table waits for an opponent. Type leave to close it first.")
		c.asked("join "+strings.ToLower(letters), "1 board, against ann. You move second. ann's turn.")
		a.expects("bob sits down. Your turn.")
		a.types("5")
		c.expects("Board A: ann at 5. Your turn.")
	})
}

func TestPrivateIsCleared(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Private}})
		code := a.said("types join ")
		a.asked("leave", "Close this table? Its code will stop working. Type yes or no.")
		a.asked("no", "Your table is kept.")
		a.asked("resign", "Close this table? Its code will stop working. Type yes or no.")
		a.asked("y", "The table has been closed.")
		c := b.open(Config{Player: bob(), Start: start.Start{At: start.Code, Code: match.Code(code)}})
		c.ended()
		if c.expects(); !errors.Is(c.err, match.ErrNoSuchTable) {
			t.Errorf("it ends with %v", c.err)
		}
	})
}

// Who leaves a private table by quitting has the grace to come back, then it is cleared.
func TestPrivateIsLeft(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Private}})
		a.asked("quit", "Your table is kept for 60 seconds. Goodbye.")
		again := b.open(Config{Player: ann()})
		again.expects("Notakto, line by line. You are ann. You have a match in progress: a table that waits for an "+
			"opponent. Type go to return to it.",
			"Nobody is waiting: type computer to play the computer, play to wait for an opponent, rules, or help.")
		pass(time.Minute)
		again.asked("mine", "You have no match in progress.")
	})
}

// A guest who was cut off comes back by the code, to the same seat and under the same name.
func TestGuestsResumeCode(t *testing.T) {
	inBubble(t, func(b *harness) {
		g := b.open(Config{Player: guy(), Start: start.Start{At: start.Private, Terms: match.Terms{Variant: boards(t, 1)}}})
		received := g.out.Take()
		way := regexp.MustCompile(`Your way back: ((?:\w ?){8}), that is join (\w{8})\.\n$`).FindStringSubmatch(received)
		if way == nil || strings.ReplaceAll(way[1], " ", "") != way[2] {
			t.Fatal(received)
		}
		a := b.come(ann())
		a.types("join " + regexp.MustCompile(`types join (\w{4})\.`).FindStringSubmatch(received)[1])
		a.skips()
		_ = g.in.Close()
		a.expects("guy is away, and loses the match unless back in 60 seconds.")
		stranger := b.come(match.Player{ID: "guest:other", Name: "other", Guest: true})
		stranger.types("play 9")
		stranger.skips()
		stranger.types("join " + strings.ToLower(way[2]))
		stranger.expects("Welcome back, guy.", "1 board, against ann. You move first. Your turn. Your way back: "+
			way[1]+", that is join "+way[2]+".")
		a.expects("guy is back.")
		if n := b.manager.Lobby().Waiting("").Count; n != 0 {
			t.Errorf("%d wait under the name that was given up", n)
		}
		stranger.asked("leave",
			"You have left the table. Your seat is kept: type go to come back. When it is your turn you have 60 seconds "+
				"to do so. Your way back: "+way[1]+", that is join "+way[2]+".")
		stranger.asked("quit",
			"Your match goes on, and your seat is kept: when it is your turn you have 60 seconds to come back. "+
				"Your way back: "+way[1]+", that is join "+way[2]+". Goodbye.")
	})
}
