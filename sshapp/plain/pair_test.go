package plain

import (
	"testing"
	"time"

	"notakto/match"
)

// rated returns two sessions at the first game of a rated pair.
func (b *harness) rated() (first, second *person) { return b.meet(match.RatedTerms(match.PeoplePool)) }

// This test plays a pair from the queue to the result.
func TestRatedPair(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.asked("play rated", "Waiting for an opponent, for a rated pair. No one else is waiting.")
		c.asksFor("matches", "ann waits for a rated pair: type play rated to join.")
		c.asksFor("play rated", "rated, game 1 of 2", "X at", "ann's turn.")
		a.hears("Opponent found.", "4 boards, 6+0, rated, game 1 of 2, against bob.", "The opening: Board A",
			"Your turn.")
		id := string(b.manager.List()[0].ID)
		const hidden = "Not during a rated game: wait until it is over."
		a.asked("deadly", hidden)
		a.asksFor("who", "Seed hash: ")
		a.asksFor("resign", "Resign this match? bob will win this game. The second game follows. Type yes or no.")
		a.asked("yes", "You resigned. You lost. Second game in 5 seconds.")
		c.hears("You won. Second game in 5 seconds.")
		a.asked("rematch", "The second game begins by itself. Type rematch after it.")
		for _, line := range []string{"review", "share", "theory 1", "playon 1"} {
			a.asked(line, hidden)
		}
		pass(2 * time.Second)
		a.asksFor("turn", "Second game in 3 seconds.")
		pass(3 * time.Second)
		c.hears("The second game begins.", "rated, game 2 of 2", "You move first.")
		a.hears("The second game begins.", "You move second.")
		c.types("resign")
		c.asked("yes", "You resigned. You lost. You split the pair 1–1. Type rematch, review or leave.")
		a.hears("You won. You split the pair 1–1.")
		a.asksFor("who", "The openings were drawn from the seed ")
		b.come(guy()).asksFor("watch "+id, "This match is over.", "rated, game 1 of 2", "The opening: Board A")
	})
}

// Both players hear the change of their rating at the end of the pair, and again when they quit.
func TestTheRatingIsToldWithTheEndOfThePair(t *testing.T) {
	inBubbleWithStore(t, func(b *harness) {
		first, second := b.rated()
		first.types("resign", "yes")
		pass(match.SecondGameDelay)
		second.skips()
		first.types("resign", "yes")
		first.hears("You lost the pair 0–2. Your rating: 1500? to 1338? (-162), 1 of 8 pairs for the ladder. " +
			"Type rematch, review or leave.")
		const won = "1500? to 1662? (+162), 1 of 8 pairs for the ladder."
		second.hears("You won the pair 2–0. Your rating: " + won)
		second.asksFor("", "Your rating: "+won)
		second.asksFor("history", "2 matches: 2 won.", "Rating 1662 +/- 290",
			"1: beat ann, 4 boards, 6+0, rated, 0 moves, resigned, 2000-01-01.")
		second.asked("quit", "You won 2. Your rating: "+won+" Goodbye.")
	})
}

// A player who leaves between the games hears when the second one needs the player.
func TestSteppingAwayBetweenTheGames(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		first.types("resign", "yes")
		second.types("leave")
		second.skips()
		pass(match.SecondGameDelay + 5*time.Second)
		second.hears("You are away from 4 boards, 6+0, rated", "or you lose that match.")
		second.asksFor("go", "rated, game 2 of 2", "Your turn.")
	})
}
