package plain

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/sshapp/start"
)

// This test plays a match between two people, its review, and a rematch with swapped seats.
func TestMatchOfTwo(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann()})
		a.expects("Notakto, line by line. You are ann.",
			"Nobody is waiting: type computer to play the computer, play to wait for an opponent, rules, or help.")
		a.types("play 2")
		a.expects("Waiting for an opponent, for 2 boards. No one else is waiting.")
		c := b.open(Config{Player: bob(), Start: start.Start{At: start.Queue, Terms: match.Terms{Variant: boards(t, 2)}}})
		a.expects("Opponent found.", "2 boards, against bob. You move first. Your turn.")
		c.expects("Notakto, line by line. You are bob. With ssh -t you get the full screen.",
			"Waiting for an opponent, for 2 boards.",
			"Opponent found.", "2 boards, against ann. You move second. ann's turn.")
		playTwoBoards(a, c)

		c.asked("rematch", "You want a rematch. Waiting for ann.")
		a.expects("bob wants a rematch: type rematch to accept.")
		a.types("rematch")
		a.expects("The rematch begins.", "2 boards, against bob. You move second. bob's turn.")
		c.expects("The rematch begins.", "2 boards, against ann. You move first. Your turn.")
		a.asked("resign", "Resign this match? bob will win. Type yes or no.")
		a.asked("yes", "You resigned. You lost. Type rematch, review or leave.")
		c.expects("ann resigned. You won. Type rematch, review or leave.")
		c.asked("review", "No move was made.")
		a.asked("leave", "You have left the table. Type play, computer, private, join or watch, or help.")
		c.expects("ann has left the table.")
		c.asked("rematch", "ann has left the table. Type play or computer for a new match.")
		pass(10 * time.Minute)
		c.expects("The table has been closed.")
		c.asked("rematch", "The table has been closed. Type play or computer for a new match.")
	})
}

// playTwoBoards plays a match that the first player loses.
func playTwoBoards(a, c *person) {
	a.Helper()
	a.asked("a5", "Board A: you at 5. bob's turn.")
	c.expects("Board A: ann at 5. Your turn.")
	c.asked("A 1", "Board A: you at 1. ann's turn.")
	a.expects("Board A: bob at 1. Your turn.")
	a.asked("a9", "Board A: you at 9. Board A is dead. Board left: B. bob's turn.")
	c.expects("Board A: ann at 9. Board A is dead. Board left: B. Your turn.")
	c.asked("boards", "Board A is dead: three in a row at 1, 5 and 9.", "Board B is empty.", "Your turn.")
	c.types("b5")
	a.types("b1")
	c.types("b8")
	a.asked("board b", "Board B: X at 1, 5 and 8; free 2 3 4 6 7 9.")
	c.skips()
	a.asked("b2",
		"Board B: you at 2. Board B is dead. No board is left. You killed the last board. You lost. Type rematch, "+
			"review or leave.")
	c.expects("Board B: ann at 2. Board B is dead. No board is left. ann killed the last board. You won. Type " +
		"rematch, review or leave.")
	c.asked("moves", "1, A5 by ann; 2, A1 by you; 3, A9 by ann; 4, B5 by you; 5, B1 by ann; 6, B8 by you; 7, B2 by ann.")
	c.asked("share", "Notakto/2 beat ann in 7 moves  +++  match undpjufjvv")
}

// An opponent hears that a player has left. The player has the grace period to come back when the turn comes, and
// loses after it.
func TestAway(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair(3)
		second.asked("leave", "You have left the table. Your seat is kept: type go to come back. "+
			"When it is your turn you have 60 seconds to do so.")
		first.expects("bob is away. The seat is kept.")
		first.asked("b5", "Board B: you at 5. bob's turn. bob is away, and loses the match unless back in 60 seconds.")
		pass(30 * time.Second)
		for _, command := range []string{"turn", "who"} {
			first.asksFor(command, "bob is away, and loses the match unless back in 30 seconds.")
		}
		second.asked("go", "3 boards, against ann. You move second. 1 move so far, the last B5 by ann. Your turn.")
		first.expects("bob is back.")
		second.asked("a1", "Board A: you at 1. ann's turn.")
		second.asked("quit",
			"Your seat is kept. On your turn you have 60 seconds to come back. Goodbye.")
		second.ended()
		first.skips()
		first.asked("a2", "Board A: you at 2. bob's turn. bob is away, and loses the match unless back in 60 seconds.")
		pass(time.Minute)
		first.expects("bob stayed away too long. You won. Type rematch, review or leave.")
	})
}

// A new session tells of the match in progress.
func TestComingBack(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair(3)
		first.types("b5", "quit")
		second.expects("Board B: ann at 5. Your turn.", "ann is away. The seat is kept.")
		again := b.open(Config{Player: ann()})
		again.expects("Notakto, line by line. You are ann. You have a match in progress: 3 boards against bob, 1 "+
			"move. Type go to return to it.",
			"Nobody is waiting: type computer to play the computer, play to wait for an opponent, rules, or help.")
		again.asked("mine", "1: 3 boards against bob, 1 move.", "Type go and a number to go there.")
		again.asked("go 2", "You have no match with that number: type mine to hear your matches.")
		again.asked("go 1", "3 boards, against bob. You move first. 1 move so far, the last B5 by you. bob's turn.")
		second.expects("ann is back.")
		again.asked("go", "You have no other match to go to.")
		again.asked("go 1", "You are at that table. 1 move so far, the last B5 by you. bob's turn.")
		second.types("b1")
		again.expects("Board B: bob at 1. Your turn.")
	})
}

// The manager delays the event of a return for a player who comes and goes often. No time runs against that player,
// although the log still has the player away.
func TestNoTimeRunsAgainstWhoIsHere(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair(3)
		for range 40 {
			second.types("leave", "go")
		}
		first.asked("b5", "Board B: you at 5. bob's turn.")
	})
}

// A player offers a rematch and then finds another opponent.
func TestAnOfferOfARematchEndsWithAnotherMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.pair(1)
		a.types("resign", "yes", "rematch")
		a.skips()
		c.skips()
		b.come(ann()).types("computer novice first")
		c.expects("ann has begun another match, so the rematch offer has ended.")
		a.expects("You have begun another match, so your rematch offer has ended.")
		c.asked("rematch", "You want a rematch. Waiting for ann.")
		a.expects("bob wants a rematch: type rematch to accept.")
	})
}

// A table that closes during the match leads back to the lobby. The match is kept.
func TestTableCloses(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, _ := b.pair(2)
		b.manager.Close()
		a.expects("The table has closed. The match is kept: type mine to hear your matches.")
		a.asked("b5", "You are at no table. Type play, computer, private or join first.")
	})
}
