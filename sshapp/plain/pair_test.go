package plain

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/sshapp/start"
)

// rated returns two sessions at the first game of a rated pair.
func (b *harness) rated() (first, second *person) {
	from := start.Start{At: start.Queue, Terms: match.RatedTerms(match.PeoplePool)}
	first, second = b.open(Config{Player: ann(), Start: from}), b.open(Config{Player: bob(), Start: from})
	first.skips()
	if first.types("turn"); !strings.Contains(first.out.Take(), "Your turn.") {
		first, second = second, first
	}
	first.skips()
	second.skips()
	return first, second
}

// receives checks that all texts were printed since the last check, and returns the output.
func (p *person) receives(texts ...string) string {
	p.Helper()
	said := p.skipsTo()
	testkit.Contains(p, said, texts...)
	return said
}

func (p *person) skipsTo() string {
	pass(0)
	return p.out.Take()
}

// This test plays a pair from the queue to the result.
func TestRatedPair(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.come(ann()), b.come(bob())
		a.asked("play rated", "Waiting for an opponent, for a rated pair. No one else is waiting.")
		c.types("matches")
		c.receives("ann waits for a rated pair: type play rated to join.")
		c.types("play rated")
		first, second := a, c
		said := a.receives("Opponent found.", "4 boards, 6+0, rated, game 1 of 2, against bob.", "The opening: Board A")
		if !strings.Contains(said, "Your turn.") {
			first, second = c, a
		}
		c.receives("rated, game 1 of 2", "X at")
		first.asked("deadly", "Not during a rated game: wait until it is over.")
		first.types("who")
		first.receives("Seed hash: ")
		first.types("resign")
		first.receives("Resign this match? ", " will win this game. The second game follows. Type yes or no.")
		first.types("yes")
		first.receives("You resigned. You lost. Second game in 5 seconds.")
		second.receives("You won. Second game in 5 seconds.")
		first.asked("rematch", "The second game begins by itself. Type rematch after it.")
		for _, line := range []string{"review", "share", "theory 1", "playon 1"} {
			first.asked(line, "Not during a rated game: wait until it is over.")
		}
		pass(2 * time.Second)
		first.types("turn")
		first.receives("Second game in 3 seconds.")
		pass(3 * time.Second)
		second.receives("The second game begins.", "rated, game 2 of 2", "You move first.")
		first.receives("The second game begins.", "You move second.")
		second.types("resign", "yes")
		second.receives("You resigned. You lost. You split the pair 1–1. Type rematch, review or leave.")
		first.receives("You won. You split the pair 1–1.")
		first.types("who")
		first.receives("The openings were drawn from the seed ")
	})
}

// Both players hear the change of their rating at the end of the pair, and again when they quit.
func TestTheRatingIsToldWithTheEndOfThePair(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func(time.Duration)) {
		first, second := b.rated()
		first.types("resign", "yes")
		pass(match.SecondGameDelay)
		second.skips()
		first.skips()
		first.types("resign", "yes")
		const lost = "1500? to 1338? (-162), 1 of 8 pairs for the ladder."
		const won = "1500? to 1662? (+162), 1 of 8 pairs for the ladder."
		first.receives("You lost the pair 0–2. Your rating: " + lost + " Type rematch, review or leave.")
		second.receives("You won the pair 2–0. Your rating: " + won)
		second.types("")
		second.receives("Your rating: " + won)
		second.types("history")
		second.receives("2 matches: 2 won.", "Rating 1662 +/- 290")
		second.asked("quit", "You won 2. Your rating: "+won+" Goodbye.")
		second.ended()
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
		second.receives("You are away from 4 boards, 6+0, rated", "or you lose that match.")
		second.types("go")
		second.receives("rated, game 2 of 2", "Your turn.")
	})
}

func TestGuestsPlayNoRatedPairs(t *testing.T) {
	inBubble(t, func(b *harness) {
		g := b.come(guy())
		g.asked("play rated", "Guests cannot play rated pairs. Type play for an unrated match, or run ssh-keygen "+
			"once and connect again.")
	})
}

func TestWatchingARatedGameThatIsOver(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		id := string(b.manager.List()[0].ID)
		first.types("resign", "yes")
		pass(match.SecondGameDelay)
		second.types("resign", "yes")
		w := b.come(guy())
		w.types("watch " + id)
		w.receives("This match is over.", "rated, game 1 of 2", "The opening: Board A")
	})
}
