package bot

import (
	"strings"
	"testing"
	"time"

	"notakto/sshapp/idle"
)

const ping, pong = `{"do":"ping","n":1}`, "pong n=1"

// A bot that said nothing more held its session, and its place in the queue, for as long as its connection lasted.
func TestABotThatSaysNothingIsWarnedAndSentHome(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.limits = Limits{Idle: 10 * time.Minute}
		c := b.enter(ann())
		pass(8 * time.Minute)
		c.says("nonsense") // any line will do
		c.expects("error code=bad_json")
		pass(9*time.Minute - time.Second)
		c.expects()
		pass(time.Second)
		c.expects("notice")[0].tells(t, "goodbye in 1m0s")
		c.says(ping)
		c.expects(pong)
		pass(9 * time.Minute)
		c.expects("notice")
		pass(time.Minute)
		c.expects("notice")[0].tells(t, idle.ErrIdle.Error())
		c.ends(idle.ErrIdle)
	})
}

func TestABotThatOnlyWaitsInTheQueueIsSentHome(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.limits = Limits{Idle: 10 * time.Minute}
		c := b.enter(ann())
		c.says(`{"do":"seek"}`)
		c.expects("seeking")
		pass(10 * time.Minute)
		c.expects("notice", "notice")[1].tells(t, queueClosed)
		c.ends(idle.ErrIdle)
		two := b.enter(bob())
		two.says(`{"do":"seek"}`)
		two.expects("seeking") // and no match with who has gone
	})
}

// While it is the other's turn a bot can do nothing but wait. It has time to think, or at least a warning, when its
// turn comes.
func TestABotThatAwaitsItsOpponentIsNotIdle(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.limits = Limits{Idle: 10 * time.Minute}
		first, second, id := b.pair("notakto/1")
		for range 4 {
			pass(5 * time.Minute)
			first.says(ping)
			first.expects(pong)
		}
		second.expects()
		first.says(`{"do":"move","match":"` + id + `","move":"A5"}`)
		first.expects("move ply=1")
		second.expects("move ply=1")
		pass(10*time.Minute - time.Second)
		second.expects("notice")
		first.expects()
		pass(time.Second)
		first.expects("presence present=false")
		second.expects("notice")[0].tells(t, "your match is kept")
		second.ends(idle.ErrIdle)
	})
}

// A table to which no opponent comes, or an opponent who thinks elsewhere, kept a bot for ever, also where it let an
// opponent wait.
func TestABotThatIsToMoveOrHasNoOpponentIsIdle(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.limits = Limits{Idle: 10 * time.Minute}
		first, second, _ := b.pair("notakto/1")
		first.says(`{"do":"create"}`)
		first.expects("table")
		pass(10 * time.Minute)
		first.expects("notice", "notice")
		first.ends(idle.ErrIdle)
		second.expects("presence present=false")
	})
}

func (e event) tells(t *testing.T, text string) {
	t.Helper()
	if !strings.Contains(e.str("message"), text) {
		t.Fatalf("it is told %s\nwant %q", e, text)
	}
}
