package tui

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/start"
)

func TestRatedPair(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, bob := b.come(keyed("ann")), b.come(keyed("bob"))
		for _, p := range []*person{ann, bob} {
			p.press("enter down right esc")
			p.mustSee("a rated pair", "Two rated games from random openings.")
		}
		ann.press("1")
		ann.mustSee("Waiting for an opponent", "A rated pair")
		bob.press("3s g")
		ann.mustSee("rated, game 1 of 2", "4 boards, 6+0")
		if table := tableOf(ann.screen); table.Position.Plies() != 4 || len(table.Moves) != 0 {
			t.Errorf("the first game begins with %v", table.Position)
		}
		ann.press("?")
		ann.mustSee("Seed hash: " + tableOf(ann.screen).OpeningHash())
		ann.mustNotSee("deadly", "with x")
		ann.press("esc")
		for _, key := range []string{"x", "u", "i"} {
			ann.press("tab " + key)
			ann.mustSee("Not during a rated game.")
		}
		ann.press("r y")
		for _, p := range []*person{ann, bob} {
			p.mustSee("Second game in 5 seconds.")
			p.mustNotSee("rematch", "Who was winning", "v review", "s share")
			p.press("v")
			p.mustSee("Not during a rated game.")
		}
		ann.press("left 2s")
		ann.mustSee("Second game in 3 seconds.")
		b.advance(3 * time.Second)
		ann.mustSee("rated, game 2 of 2")
		bob.press("r y")
		bob.mustSee("You split the pair 1–1.", "You resigned", "rematch")
		ann.mustSee("You split the pair 1–1.", "bob resigned.")
		ann.press("?")
		ann.mustSee("drawn from the seed " + tableOf(ann.screen).OpeningSeed())
		ann.press("esc enter")
		bob.press("enter")
		ann.mustSee("rated, game 1 of 2")
	})
}

// The opponent of the winner has left the first game.
func TestAPairThatIsCutShortSaysWhy(t *testing.T) {
	for _, size := range sizes() {
		inBubbleWithHistory(t, func(b *harness, _ func()) {
			first, second := b.rated()
			first.resize(size[0], size[1])
			second.resize(size[0], size[1])
			for _, p := range []*person{first, second} {
				m := tableOf(p.screen).Position.LegalMoves()[0]
				p.press(rules.BoardName(int(m.Board)) + " " + m.Cell.String())
			}
			first.press("q y")
			b.advance(second.env.manager.TimeLimits().Grace + 2*time.Second)
			second.mustSee("2–0")
			long, short := " stayed away too long: game 2 was not played.", " stayed away: no game 2."
			if first.env.width >= 60 {
				short = long
			}
			second.mustSee(first.env.player.Name + short)
			first.press("r")
			first.mustSee("✗ lost to "+second.env.player.Name, "1500? → 1338?")
			first.press("enter v")
			first.mustSee("0–2", "You"+short)
		})
	}
}

func TestWatchingAPair(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		eve := b.comeTo(keyed("eve"), start.Start{At: start.Match})
		eve.mustSee("rated, game 1 of 2", "watching  eve")
		first.press("r y")
		eve.mustSee("Second game in 5 seconds.")
		b.advance(match.SecondGameDelay)
		eve.mustSee("Enter watches the second game.")
		over := eve.screen.(*resultScreen)
		over.list = newYou(eve.env) // as after the choice of the match from a list
		eve.mustSee("Enter shows the second game.")
		over.list = nil
		eve.press("enter")
		eve.mustSee("rated, game 2 of 2", "watching  eve")
		first.press("r y")
		eve.mustSee(second.env.player.Name + " won the pair 2–0.")
		eve.mustNotSee("Second game")
	})
}

func TestGuestsPlayNoRatedPairs(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.come(guest("guy")).press("1 esc up enter down right enter").mustSee("Guests cannot play rated pairs.")
	})
}

func TestPlayingOnFromARatedGame(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		first.press("r y")
		b.advance(match.SecondGameDelay)
		table := tableOf(second.screen)
		b.advance(second.env.answerDelay())
		m := table.Position.LegalMoves()[0]
		second.press(rules.BoardName(int(m.Board)) + " " + m.Cell.String())
		first.press("r y")
		second.press("v p")
		on := tableOf(second.screen)
		position, err := on.Variant.Start(), error(nil)
		for i := 0; position != table.Start && err == nil && i < len(on.Moves); i++ {
			position, err = position.Play(on.Moves[i])
		}
		if on.ID == table.ID || on.Pool.IsRated() || on.Moves[0] == m || position != table.Start {
			t.Errorf("played on as %+v, %v", on.State, err)
		}
	})
}
