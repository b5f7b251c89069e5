package plain

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
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
		a.asked("go", "3 boards, against bob. You move second. bob's turn.")
		c.expects()
	})
}

// A match that ends in the background is reported at the current table.
func TestEndElsewhere(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}})
		a.types("computer club 1 first")
		c := b.open(Config{Player: bob(), Start: start.Start{At: start.Queue}})
		a.types("go", "go")
		a.skips()
		c.types("resign", "yes")
		a.expects("At your other table: bob resigned. You won.")
		a.asked("go", "You have no other match to go to.")
		a.asked("review", "You can review the match when it is over.")
	})
}

func TestQueueIsLeft(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		a.asked("play 4", "Waiting for an opponent, for 4 boards. No one else is waiting.")
		a.asked("play 5", "You are waiting already, for 4 boards. Type leave to leave the queue first.")
		a.asked("", "Waiting for an opponent, for 4 boards. Type leave to stop waiting.")
		other := b.come(ann())
		other.asked("play", "You are already waiting in another window: stop there first.")
		a.asked("leave", "You have stopped waiting.")
		a.asked("play 4 people", "Waiting for an opponent, for 4 boards, people only. No one else is waiting.")
		a.asked("leave", "You have stopped waiting.")
		a.asked("tictactoe", "Waiting for an opponent, for tic-tac-toe. No one else is waiting.")
		a.types("quit")
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

// Two players with different numbers of boards used to be told that they were the only one waiting.
func TestQueueShowsWhatOthersWaitFor(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.asked("play 2", "Waiting for an opponent, for 2 boards. No one else is waiting.")
		c.asked("play 5",
			"Waiting for an opponent, for 5 boards. ann waits for 2 boards: type leave, then play 2 to join.")
		a.expects("bob waits for 5 boards: type leave, then play 5 to join.")
		c.asked("leave", "You have stopped waiting.")
		a.expects("No one else is waiting.")
	})
}

// A player hears the limit of each move once, and one warning near its end.
func TestLimitOfAMoveIsShown(t *testing.T) {
	cfg := manager.Config{FirstMove: manager.DefaultFirstMove, LaterMove: manager.DefaultLaterMove}
	inBubbleWith(t, cfg, func(b *harness) {
		first, second := b.pair(2)
		first.asked("A5", "Board A: you at 5. bob's turn.")
		second.expects("Board A: ann at 5. Your turn.",
			"Make your first move within 30 seconds, or the match is cancelled.")
		second.asked("B5", "Board B: you at 5. ann's turn.")
		first.skips()
		pass(manager.DefaultLaterMove - time.Minute)
		first.expects("Move within 60 seconds, or you lose.")
		pass(time.Minute)
		first.expects("You ran out of time. You lost. Type rematch, review or leave.")
		second.expects("ann ran out of time. You won. Type rematch, review or leave.")
	})
}

// The status used to omit the limit of the first move, and the waiting player never heard of it.
func TestTheTimeForAFirstMoveIsShownToBoth(t *testing.T) {
	cfg := manager.Config{FirstMove: manager.DefaultFirstMove, LaterMove: manager.DefaultLaterMove}
	inBubbleWith(t, cfg, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.types("play 2")
		a.skips()
		c.asked("play 2", "Waiting for an opponent, for 2 boards.", "Opponent found.",
			"2 boards, against ann. You move second. ann's turn. ann has 30 seconds to make the first move.")
		a.skips()
		pass(10 * time.Second)
		a.asked("turn", "Your turn. Make your first move within 20 seconds, or the match is cancelled.")
		c.asked("", "ann's turn. ann has 20 seconds to make the first move.")
		a.types("A5")
		c.types("B5")
		a.skips().asked("",
			"2 moves so far, the last B5 by bob. Your turn. Move within 5 minutes, or you lose.")
		c.skips().asked("", "2 moves so far, the last B5 by you. ann's turn. ann has 5 minutes left to move.")
	})
}

// Two players who are kept apart for a while used to hear only that two are waiting.
func TestTwoWhoAreNotPairedAreShownWhy(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		first, second := b.pair(2)
		pass(manager.DefaultFirstMove)
		first.types("leave", "play 2")
		second.types("leave")
		first.skips()
		second.skips().asked("play 2", "Waiting for an opponent, for 2 boards. You and ann cannot meet for 5 minutes: "+
			"ann did not move in time. Type play anyway to accept ann.")
		first.expects("You and bob cannot meet for 5 minutes: you did not move in time.")
		second.asked("b5", "No match has begun yet. Waiting for an opponent, for 2 boards. Type leave to stop waiting.")
		pass(client.OfferComputerAfter)
		second.expects(
			"No opponent yet. Type computer to play the computer while you wait: you keep your place and are " +
				"told when someone joins.")
		second.types("play anyway")
		first.skips().asked("turn", "Your turn. Make your first move within 30 seconds, or the match is cancelled.")
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

// A wrong game must not cost the place in the queue.
func TestAWrongGameKeepsThePlace(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}})
		a.asked("play anyway chess",
			"Unknown game. Try: play, play 3, play tictactoe, play rated, or computer novice.")
		a.asked("leave queue", "You have stopped waiting.")
	})
}

// A match against the computer used to end without a word on the place in the queue.
func TestAfterAMatchTheWaitingPlayerIsAsked(t *testing.T) {
	const question = "You are still in the queue. Do you still want an opponent? Type yes or no within 1 minute."
	for name, test := range map[string]struct {
		types, says string
		isKept      bool
	}{
		"yes":     {"yes", "You keep your place in the queue.", true},
		"no":      {"no", "You have stopped waiting.", false},
		"nothing": {"leave", "", false},
	} {
		inBubble(t, func(b *harness) {
			a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}}).skips()
			a.types("computer novice 1 first")
			a.skips().asked("turn", "Your turn. You are in the queue: type leave queue to give up your place.")
			a.types("resign", "yes")
			a.skips().asked("",
				"You resigned. You lost. Type rematch, review or leave. You are in the queue: type leave "+
					"queue to give up your place.")
			a.types(test.types)
			if test.says == "" {
				a.skips()
				pass(client.PlaceAnswerTimeout)
				a.expects("You did not say that you still want an opponent, so you have left the queue.")
			} else {
				a.expects(test.says)
				pass(client.PlaceAnswerTimeout)
			}
			if isKept := b.manager.Lobby().Waiting("").Count == 1; isKept != test.isKept {
				t.Errorf("%s: the place is kept: %t", name, isKept)
			}
		})
	}
	inBubble(t, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}}).skips()
		a.types("computer novice 1 first", "resign")
		a.skips().types("yes")
		a.expects("You resigned. You lost. Type rematch, review or leave.", question)
		a.asked("leave queue", "You have stopped waiting.")
		a.asked("leave queue", "You are not in the queue.")
	})
}

func TestMatchWithoutAFirstMoveDoesNotCount(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		first, second := b.pair(2)
		pass(manager.DefaultFirstMove)
		first.skips()
		second.expects(
			"ann did not make a first move. The match is cancelled. Type play to find another opponent, or leave.")
	})
}

// Only players in the queue used to hear of other waiting players, and tic-tac-toe was called "play 1".
func TestMatchesTellsWhoWaits(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.open(Config{Player: bob(),
			Start: start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.TicTacToe()}}})
		a := b.open(Config{Player: ann()}).skips()
		a.asked("matches", "bob waits for tic-tac-toe: type play tictactoe to join.",
			"There is no match to watch now. Type watch to follow a demonstration.")
		a.asked("play",
			"Waiting for an opponent, for 1 to 5 boards. bob waits for tic-tac-toe: type leave, then play tictactoe "+
				"to join.")
		a.asked("matches", "There is no match to watch now. Type watch to follow a demonstration.")
	})
}
