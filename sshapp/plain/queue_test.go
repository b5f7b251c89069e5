package plain

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/manager"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

const offer = "No opponent yet. Type computer to play the computer while you wait: you keep your place and " +
	"are told when someone joins."

// The offer comes once. The player keeps the place in the queue, goes to the opponent, and back to the computer.
func TestComputerWhileWaiting(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}}).skips()
		pass(14 * time.Second)
		a.expects()
		pass(time.Second)
		a.expects(offer)
		pass(time.Minute)
		a.expects()
		a.asked("computer club 1 first", "1 board, against the computer, level club. You move first. Your turn.")
		a.types("5")
		c := b.open(Config{Player: bob(), Start: start.Start{At: start.Queue}}).skips()
		a.expects("Board A: you at 5. The computer's turn.",
			"Opponent found: 3 boards against bob. Type go to play there; this table is kept.")
		a.asked("go", "3 boards, against bob. You move second. bob's turn.")
		pass(time.Second)
		a.expects("At your other table: Board A: the computer at 2. Your turn. Type go to go there.")
		pass(time.Hour) // both opponents wait for ann, and ann is present at both tables
		c.expects()
		a.asked("go",
			"1 board, against the computer, level club. You move first. 2 moves so far, the last A2 by the "+
				"computer. Your turn.")
		a.asked("resign", "Resign this match? The computer will win. Type yes or no.")
		a.types("yes")
		a.asked("leave", "You have left the table. You have another match in progress: type go to go there.")
		a.types("computer club 1 first")
		c.types("resign", "yes")
		a.hears("At your other table: bob resigned. You won.")
		a.asked("go", "You have no other match to go to.")
	})
}

func TestQueueIsLeft(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		a.asked("play 4", "Waiting for an opponent, for 4 boards. No one else is waiting.")
		a.asked("play 5", "You are waiting already, for 4 boards. Type leave to leave the queue first.")
		a.asked("", "Waiting for an opponent, for 4 boards. Type leave to stop waiting.")
		a.asked("b5", "No match has begun yet. Waiting for an opponent, for 4 boards. Type leave to stop waiting.")
		other := b.come(ann())
		other.asked("play", "You are already waiting in another window: stop there first.")
		a.asked("leave", "You have stopped waiting.")
		a.asked("play 4 people", "Waiting for an opponent, for 4 boards, people only. No one else is waiting.")
		a.asked("leave", "You have stopped waiting.")
		a.types("tictactoe", "quit")
		other.asked("play 1", "Waiting for an opponent, for 1 board. No one else is waiting.")
	})
}

// A session keeps two matches open and refuses a third.
func TestThreeMatches(t *testing.T) {
	inBubble(t, func(b *harness) {
		elsewhere := b.come(ann())
		elsewhere.types("computer club 1 first", "leave")
		pass(time.Second)
		elsewhere.types("computer club 2 first", "leave")
		pass(time.Second)
		a := b.come(ann())
		a.types("play")
		a.types("go 1", "go 2")
		a.asked("mine", "1: 1 board against the computer, your turn.",
			"2: 2 boards against the computer, your turn, where you are.",
			"Type go and a number to go there.")
		b.open(Config{Player: bob(), Start: start.Start{At: start.Queue}})
		a.expects("Opponent found: 3 boards against bob. Type go to play there; this table is kept.")
		a.asked("go", "Two of your matches are open here: type leave to step away from this match first.")
		a.types("leave")
		a.asked("go 3", "3 boards, against bob. You move second. bob's turn.")
	})
}

// Two players with different numbers of boards used to be told that they were the only one waiting, and tic-tac-toe was
// called "play 1".
func TestQueueShowsWhatOthersWaitFor(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.asked("tictactoe", "Waiting for an opponent, for tic-tac-toe. No one else is waiting.")
		b.open(Config{Player: guy()}).hears("ann waits for tic-tac-toe: type play tictactoe to join.")
		const noMatch = "There is no match to watch now. Type watch to follow a demonstration."
		c.asked("matches", "ann waits for tic-tac-toe: type play tictactoe to join.", noMatch)
		c.asked("play 5", "Waiting for an opponent, for 5 boards. ann waits for tic-tac-toe: type leave, then play "+
			"tictactoe to join.")
		a.expects("bob waits for 5 boards: type leave, then play 5 to join.")
		c.asked("matches", noMatch)
		c.asked("leave", "You have stopped waiting.")
		a.expects("No one else is waiting.")
	})
}

// Both players hear the limit of each move once, and one warning near its end. A match without a first move is
// cancelled.
func TestLimitOfAMoveIsShown(t *testing.T) {
	cfg := manager.Config{FirstMove: manager.DefaultFirstMove, LaterMove: manager.DefaultLaterMove}
	inBubbleWith(t, cfg, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.types("play 2")
		c.asked("play 2", "Waiting for an opponent, for 2 boards.", "Opponent found.",
			"2 boards, against ann. You move second. ann's turn. ann has 30 seconds to make the first move.")
		pass(10 * time.Second)
		a.asked("turn", "Your turn. Make your first move within 20 seconds, or the match is cancelled.")
		c.asked("", "ann's turn. ann has 20 seconds to make the first move.")
		c.asked("leave", "You have left the table. Your seat is kept: type go to come back. "+
			"When it is your turn you have 30 seconds to do so.")
		c.types("go")
		c.skips()
		a.types("A5")
		c.expects("Board A: ann at 5. Your turn.",
			"Make your first move within 30 seconds, or the match is cancelled.")
		c.types("B5")
		a.asked("", "2 moves so far, the last B5 by bob. Your turn. Move within 5 minutes, or you lose.")
		c.asked("", "2 moves so far, the last B5 by you. ann's turn. ann has 5 minutes left to move.")
		pass(manager.DefaultLaterMove - time.Minute)
		a.expects("Move within 60 seconds, or you lose.")
		pass(time.Minute)
		a.expects("You ran out of time. You lost. Type rematch, review or leave.")
		c.expects("ann ran out of time. You won. Type rematch, review or leave.")
	})
}

// Two players who are kept apart for a while used to hear only that two are waiting.
func TestTwoWhoAreNotPairedAreShownWhy(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		first, second := b.pair(2)
		pass(manager.DefaultFirstMove)
		second.expects(
			"ann did not make a first move. The match is cancelled. Type play to find another opponent, or leave.")
		first.types("leave", "play 2")
		second.types("leave")
		first.skips()
		second.skips().asked("play 2", "Waiting for an opponent, for 2 boards. You and ann cannot meet for 5 minutes: "+
			"ann did not move in time. Type play anyway to accept ann.")
		first.expects("You and bob cannot meet for 5 minutes: you did not move in time.")
		second.types("play anyway")
		first.asked("turn", "Your turn. Make your first move within 30 seconds, or the match is cancelled.")
	})
}

// Before this rule, a player in the queue could be paired while away from the terminal.
func TestAPlaceIsGivenUpWithoutALine(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}}).skips()
		pass(client.PlaceTimeout - client.PlaceWarning - time.Second)
		a.skips()
		pass(time.Second)
		a.expects("Still there? Press Enter within 30 seconds to keep your place in the queue.")
		a.types("")
		a.skips()
		pass(client.PlaceTimeout - client.PlaceWarning)
		a.expects("Still there? Press Enter within 30 seconds to keep your place in the queue.")
		pass(client.PlaceWarning)
		a.expects("You typed nothing for 3 minutes, so you have left the queue.")
		testkit.Equal(t, b.manager.Lobby().Waiting("").Count, 0)
	})
}

// A match against the computer used to end without a word on the place in the queue.
func TestAfterAMatchTheWaitingPlayerIsAsked(t *testing.T) {
	for answer, says := range map[string]string{
		"yes":         "You keep your place in the queue.",
		"no":          "You have stopped waiting.",
		"leave queue": "You have stopped waiting.",
		"":            "",
	} {
		inBubble(t, func(b *harness) {
			a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}}).skips()
			const inQueue = "You are in the queue: type leave queue to give up your place."
			a.types("computer novice 1 first")
			a.asked("turn", "Your turn. "+inQueue)
			a.types("resign")
			a.asked("yes", "You resigned. You lost. Type rematch, review or leave.",
				"You are still in the queue. Do you still want an opponent? Type yes or no within 1 minute.")
			if answer != "" {
				a.asked(answer, says)
			} else {
				pass(client.PlaceAnswerTimeout)
				a.expects("You did not say that you still want an opponent, so you have left the queue.")
			}
			pass(client.PlaceAnswerTimeout)
			kept := map[bool]int{true: 1}[answer == "yes"]
			testkit.Equal(t, b.manager.Lobby().Waiting("").Count, kept, answer)
		})
	}
}
