package tui

import (
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// rated returns two people at the first game of a rated pair, the one with the first move first.
func (b *harness) rated() (first, second *person) {
	b.Helper()
	from := start.Start{At: start.Queue, Terms: match.RatedTerms(match.PeoplePool)}
	one, two := b.comeTo(keyed("ann"), from), b.comeTo(keyed("bob"), from)
	if tableOf(one.screen) == nil {
		b.Fatalf("not paired:\n%s", one.sees())
	}
	if tableOf(one.screen).IsMyTurn() {
		return one, two
	}
	return two, one
}

func TestRatedPair(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, bob := b.come(keyed("ann")), b.come(keyed("bob"))
		for _, p := range []*person{ann, bob} {
			p.press("enter down right")
			p.mustSee("◂  rated pair   ▸", "Two rated games. You each start one.")
			p.press("esc")
			p.mustSee("a rated pair", "Two rated games from random openings.")
		}
		ann.press("1")
		ann.mustSee("Waiting for an opponent", "A rated pair")
		b.advance(3 * 1e9)
		bob.press("g")
		ann.mustSee("rated, game 1 of 2", "4 boards, 6+0")
		if table := tableOf(ann.screen); table.Position.Plies() != 4 || len(table.Moves) != 0 {
			t.Errorf("the first game begins with %v", table.Position)
		}
		ann.press("?")
		ann.mustSee("Seed hash: "+tableOf(ann.screen).OpeningHash(), "The centre of the last X is marked.")
		ann.mustNotSee("deadly", "with x")
		ann.press("esc x")
		ann.mustSee("Not during a rated game.")
		for _, key := range []string{"u", "i"} {
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
		ann.press("left")
		b.advance(2 * 1e9)
		ann.mustSee("Second game in 3 seconds.")
		b.advance(3 * 1e9)
		for _, p := range []*person{ann, bob} {
			p.mustSee("rated, game 2 of 2")
		}
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

func TestTheRatingIsThereWithTheEndOfThePair(t *testing.T) {
	for _, size := range sizes() {
		inBubbleWithHistory(t, func(b *harness, _ func()) {
			first, second := b.rated()
			first.resize(size[0], size[1])
			second.resize(size[0], size[1])
			first.press("r y")
			first.mustNotSee("1500?")
			b.advance(match.SecondGameDelay)
			first.press("r y")
			second.press("enter") // the rating stays
			first.mustSee("1500? → 1338? (-162)", "0–2", "rematch")
			second.mustSee("1500? → 1662? (+162)", "2–0", "rematch")
			if first.env.isRoomy() {
				first.mustSee("1 of 8 pairs for the ladder", "rated, game 2 of 2")
			}
			first.env.setTheme(draw.NewTheme(draw.Auto, colorprofile.ANSI, draw.ASCII))
			first.mustSee("1500? > 1338? (-162)", "0-2")
			you := b.come(second.Player())
			you.press("7")
			you.mustSee("Rating 1500? → 1662? (+162), 1 of 8 pairs")
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
		p := b.come(guest("guy"))
		p.press("1 esc up enter down right enter")
		p.mustSee("Guests cannot play rated pairs.")
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
		opened := table.Start
		first.press("r y")
		second.press("v")
		second.mustSee("Review")
		second.press("p")
		on := tableOf(second.screen)
		if on.ID == table.ID || on.Pool.IsRated() || on.Moves[0] == m {
			t.Fatalf("played on as %+v", on.Result)
		}
		position := on.Variant.Start()
		for i, m := range on.Moves {
			if position == opened {
				return
			}
			var err error
			if position, err = position.Play(m); err != nil {
				t.Fatal(i, err)
			}
		}
		testkit.Equal(t, position, opened)
	})
}
