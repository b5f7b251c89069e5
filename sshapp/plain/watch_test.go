package plain

import (
	"testing"

	"notakto/match"
	"notakto/sshapp/start"
)

// Who looks on hears every move, the end and the rematch.
func TestWatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		w := b.come(match.Player{ID: "SHA256:wes", Name: "wes"})
		w.asked("watch", "There is no match to watch just now.")
		w.asked("matches", "There is no match to watch just now.")
		a, c := b.pair(1)
		w.asked("watch 1", "There is no match with that number: type matches to hear the list.")
		w.asked("matches", "1 match in progress.", "1: ann against bob, 1 board, 0 moves.",
			"Type watch and a number to watch one.")
		w.asked("watch 1", "You are watching. 1 board, ann against bob. ann's turn.")
		w.asked("5", "You are watching: only the players place marks.")
		w.asked("resign", "You are in no match to resign from.")
		w.asked("rematch", "A rematch can come when the match is over.")
		a.types("5")
		w.expects("Board A: ann at 5. bob's turn.")
		a.asked("who", "You are ann. You move first. bob moves second. 1 person is watching.")
		c.types("quit")
		w.expects("bob is away, and loses the match unless back in 60 seconds.")
		c = b.open(Config{Player: bob()})
		c.types("go", "4", "resign", "yes")
		w.expects("bob is back.", "Board A: bob at 4. ann's turn.",
			"bob resigned. ann won. Type review to look back, or leave.")
		w.asked("rematch", "They have not agreed on another match yet.")
		w.asked("review", "2 moves. bob resigned. ann won.", "Winning with perfect play, after every move: ann.",
			"Type review all to hear every move, or review, theory or playon and a move's number.")
		a.types("rematch")
		c.types("rematch")
		w.skips().asked("rematch", "You are watching. 1 board, bob against ann. bob's turn.")
		w.asked("leave", "You have left the table. Type play, computer, private, join or watch, or help.")
	})
}

// The busiest match is the one to look on at, by the front end too; one's own is gone to.
func TestWatchByConfig(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		w := b.open(Config{Player: match.Player{ID: "SHA256:wes", Name: "wes"}, Start: start.Start{At: start.Match}})
		w.expects("Notakto, line by line. You are wes.", "You are watching. 2 boards, ann against bob. ann's turn.")
		id := b.manager.List()[0].ID
		w2 := b.open(Config{
			Player: match.Player{ID: "SHA256:xan", Name: "xan"}, Start: start.Start{At: start.Match, Match: id},
		})
		w2.expects("Notakto, line by line. You are xan.", "You are watching. 2 boards, ann against bob. ann's turn.")
		w2.asked("watch nosuchmatch", "There is no such match: type matches to hear those in progress.")
		a.asked("watch", "You are in a match. Type resign to give it up, or leave to step away from it, first.")
		a.types("leave")
		a.asked("watch "+string(id), "2 boards, against bob. You move first. Your turn.")
	})
}
