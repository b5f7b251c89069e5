package plain

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/sshapp/start"
)

// The code is printed letter by letter and may be typed so.
func TestPrivate(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.types("private 1")
		received := a.out.Take()
		code := regexp.MustCompile(`types join (\w{6})\.`).FindStringSubmatch(received)[1]
		letters := strings.Join(strings.Split(code, ""), " ")
		testkit.Equal(t, received, "Your private table, 1 board. You move first. The code is "+letters+
			": your opponent types join "+code+". The match begins when your opponent joins.\n")
		a.asked("", "Waiting for your opponent. The code is "+letters+".")
		a.asked("who", "You are ann. You move first. No opponent yet: the opponent moves second.")
		a.asked("5", "You have no opponent yet: wait for one, or type leave to close the table.")
		a.asked("play", "Your private table waits for an opponent. Type leave to close it first.")
		c.asked("join "+strings.ToLower(letters), "1 board, against ann. You move second. ann's turn.")
		a.expects("bob sits down. Your turn.")
		a.types("5")
		c.expects("Board A: ann at 5. Your turn.")
	})
}

// A player who quits at a private table has the grace period to come back. Then the table closes.
func TestPrivateIsClosed(t *testing.T) {
	inBubble(t, func(b *harness) {
		const ask = "Close this table? Its code will stop working. Type yes or no."
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Private}})
		code := regexp.MustCompile(`types join (\w{6})\.`).FindStringSubmatch(a.out.Take())[1]
		a.asked("leave", ask)
		a.asked("no", "Your table is kept.")
		a.asked("resign", ask)
		a.asked("y", "The table has been closed.")
		c := b.open(Config{Player: bob(), Start: start.Start{At: start.Code, Code: match.Code(code)}})
		c.ended()
		c.expects()
		testkit.ErrorIs(t, c.err, match.ErrNoSuchTable)
		a.types("private")
		a.asked("quit", "Your table is kept for 60 seconds. Goodbye.")
		again := b.open(Config{Player: ann()})
		again.hears("You have a match in progress: a table that waits for an opponent. Type go to return to it.")
		pass(time.Minute)
		again.asked("mine", "You have no match in progress.")
	})
}

// A player who agreed to close an empty table resigned the match that had just begun there.
func TestYesToClosingATableResignsNoMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Private}})
		code := regexp.MustCompile(`types join (\w{6})\.`).FindStringSubmatch(a.out.Take())[1]
		a.hears()
		a.types("leave")
		b.open(Config{Player: bob(), Start: start.Start{At: start.Code, Code: match.Code(code)}})
		a.skips().asked("yes", "There is no command yes. Type help to hear the commands, or a move such as B5.")
		a.asksFor("turn", "turn.")
	})
}

// After a lost connection the code leads a guest to the old seat and name.
func TestGuestsResumeCode(t *testing.T) {
	inBubble(t, func(b *harness) {
		private := start.Start{At: start.Private, Terms: match.Terms{Variant: boards(t, 1)}}
		g := b.open(Config{Player: guy(), Start: private})
		received := g.out.Take()
		way := regexp.MustCompile(`Your return code: ((?:\w ?){8})\. To come back, type join (\w{8})\.`).
			FindStringSubmatch(received)
		if way == nil || strings.ReplaceAll(way[1], " ", "") != way[2] {
			t.Fatal(received)
		}
		a := b.come(ann())
		a.types("join " + regexp.MustCompile(`types join (\w{6})\.`).FindStringSubmatch(received)[1])
		a.skips()
		_ = g.in.Close()
		a.expects("guy is away, and loses the match unless back in 60 seconds.")
		stranger := b.come(match.Player{ID: "guest:other", Name: "other", Guest: true})
		stranger.types("play 9")
		stranger.asked("join "+strings.ToLower(way[2]), "Welcome back, guy.",
			"1 board, against ann. You move first. Your turn. "+way[0])
		a.expects("guy is back.")
		testkit.Equal(t, b.manager.Lobby().Waiting("").Count, 0)
		stranger.asked("leave", "You have left the table. Your seat is kept: type go to come back. "+
			"When it is your turn you have 60 seconds to do so. "+way[0])
		stranger.asked("quit", "Your seat is kept. On your turn you have 60 seconds to come back. "+way[0]+" Goodbye.")
	})
}
