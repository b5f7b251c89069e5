package plain

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/sshapp/start"
)

func TestWatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		w := b.come(match.Player{ID: "SHA256:wes", Name: "wes"})
		w.asked("next", "No other match waits for your move.")
		w.asked("matches", "There is no match to watch now. Type watch to follow a demonstration.")
		a, c := b.pair(1)
		w.asked("watch 1", "There is no match with that number: type matches to hear the list.")
		w.asked("matches", "1 match in progress.", "1: ann against bob, 1 board, 0 moves.",
			"Type watch and a number to watch a match.")
		w.asked("watch 1", "You are watching. 1 board, ann against bob. ann's turn.")
		w.asked("5", "You are watching: only the players place marks.")
		w.asked("resign", "You are in no match to resign from.")
		w.asked("next", "There is no other match now.")
		w.asked("rematch", "You can ask for a rematch when the match is over.")
		a.types("5")
		w.expects("Board A: ann at 5. bob's turn.")
		b.open(Config{Player: guy(), Start: start.Start{At: start.Match}})
		pass(time.Second) // spectators who come together are reported together
		a.asked("who", "You are ann. You move first. bob moves second. 2 people are watching.")
		c.types("quit")
		w.expects("bob is away, and loses the match unless back in 60 seconds.")
		b.come(guy()).asksFor("matches", "1: ann against bob, 1 board, 1 move, bob is away, ")
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

func TestADemonstrationIsToldUntilPeoplePlay(t *testing.T) {
	inBubble(t, func(b *harness) {
		w := b.come(match.Player{ID: "SHA256:wes", Name: "wes"})
		w.asksFor("watch", "No match is being played now, so two levels of the computer show the game.",
			"Type leave to stop. 4 boards, ", "The opening: Board A")
		pass(2 * time.Second)
		w.hears("Board ", " at ", "'s turn. ")
		w.asked("5", "You are watching: only the players place marks.")
		w.asksFor("next", "No match is being played now")
		b.pair(1)
		pass(2 * time.Second)
		w.expects("You are watching. 1 board, ann against bob. ann's turn.")
		w.asked("leave", "You have left the table. Type play, computer, private, join or watch, or help.")
	})
}
