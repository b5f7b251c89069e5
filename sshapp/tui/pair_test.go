package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// rated is two people at the first game of a rated pair, and who moves first comes first.
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

// From the lobby to the result: the second game comes by itself, and its end shows how the pair ended.
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
		if at := tableOf(ann.screen); at.Position.Plies() != 4 || len(at.Moves) != 0 {
			t.Errorf("the first game begins with %v", at.Position)
		}
		ann.press("?")
		ann.mustSee("Seed hash: "+tableOf(ann.screen).OpeningHash(), "The centre of the last X is marked.")
		ann.mustNotSee("deadly", "with x")
		ann.press("esc x")
		ann.mustSee("Not during a rated game.")
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

// Who stayed away from the second game was told that it ends, which is lost.
func TestStayingAwayFromTheSecondGameLoses(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		first.press("r")
		first.mustSee("will win this game. The", "one follows.")
		first.press("n 5 q")
		first.mustSee("you have 60 s", "or you lose", "both games.")
		first.press("n r")
		first.press("y")
		b.advance(match.SecondGameDelay)
		second.press("q y")
		b.advance(2 * time.Second)
		second.mustSee("go over within 58 s, or you lose.")
	})
}

func TestPairWonAndLost(t *testing.T) {
	for _, size := range sizes() {
		inBubble(t, func(b *harness) {
			first, second := b.rated()
			first.resize(size[0], size[1])
			second.resize(size[0], size[1])
			first.press("r y")
			b.advance(match.SecondGameDelay)
			first.press("r y")
			first.mustSee("You lost the pair 0–2.")
			second.mustSee("You won the pair 2–0.")
		})
	}
}

// The winner of a pair whose first game the opponent left read 2–0, and not why.
func TestAPairThatIsCutShortSaysWhy(t *testing.T) {
	for _, size := range sizes() {
		inBubbleWithHistory(t, func(b *harness, _ func()) {
			first, second := b.rated()
			first.resize(size[0], size[1])
			second.resize(size[0], size[1])
			for _, p := range []*person{first, second} {
				m := tableOf(p.screen).Position.Legal()[0]
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
			first.press("enter")
			first.mustSee("0–2", "You"+short)
		})
	}
}

// Both players read on the result screen, while both stay there, what the pair has changed.
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
			first.mustSee("1500? → 1338? (-162)", "0–2")
			second.mustSee("1500? → 1662? (+162)", "2–0")
			if first.env.roomy() {
				first.mustSee("1 of 8 pairs for the ladder", "rated, game 2 of 2")
				second.mustSee("1 of 8 pairs for the ladder", first.env.player.Name+" resigned.")
			}
			second.press("enter") // the rating stays
			first.mustSee("1500? → 1338? (-162)", "rematch")
			second.mustSee("1500? → 1662? (+162)", "rematch")
			first.env.use(draw.NewTheme(draw.Auto, colorprofile.ANSI, draw.ASCII))
			first.mustSee("1500? > 1338? (-162)", "0-2")
			you := b.come(second.Player())
			you.press("7")
			you.mustSee("Rating 1500? → 1662? (+162), 1 of 8 pairs")
		})
	}
}

// The result of a pair that was played to its end told half of the last slip in a small window.
func TestTheLastMistakeOfAPairIsShownWhole(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		first.press("r y")
		b.advance(match.SecondGameDelay)
		for !tableOf(second.screen).Over() {
			for _, p := range []*person{first, second} {
				if at := tableOf(p.screen); at.IsMyTurn() {
					b.advance(p.env.answerDelay())
					m := at.Position.Legal()[0]
					p.press(rules.BoardName(int(m.Board)) + " " + m.Cell.String())
				}
			}
		}
		second.mustSee("the pair ", " last slip", " would have won.")
	})
}

// A key that is pressed when the second game comes up, for the result that was shown before, is no move.
func TestAKeyForTheResultIsNoMoveOfTheSecondGame(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		first.press("r y")
		b.advance(match.SecondGameDelay)
		at := tableOf(second.screen)
		if at.Game() != 2 || !at.IsMyTurn() {
			t.Fatalf("not at the second game:\n%s", second.sees())
		}
		second.send(keyPress("enter"))
		if len(at.Moves) > 0 {
			t.Errorf("it was a move: %v", at.Moves)
		}
		second.mustSee("look, then press the key again")
		b.advance(second.env.answerDelay())
		for board := range at.Variant.Boards() {
			if at.Position.At(board, 5) == rules.Empty {
				second.press(rules.BoardName(board) + " 5")
				break
			}
		}
		if len(at.Moves) != 1 {
			t.Errorf("no move was made:\n%s", second.sees())
		}
	})
}

// A player who leaves the result between the games is called to the second one.
func TestSecondGameCallsThePlayer(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		first.press("r y")
		second.press("q")
		second.mustSee("Your match goes on: Enter returns", "game 2 follows")
		second.press("enter")
		second.mustSee("Second game in")
		second.press("q")
		b.advance(match.SecondGameDelay)
		second.mustSee("Your match goes on: Enter returns", "your turn")
		second.press("enter")
		second.mustSee("rated, game 2 of 2")
	})
}

// Spectators see both games, and the result as it is for them.
func TestWatchingAPair(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		eve := b.comeTo(keyed("eve"), start.Start{At: start.Match})
		eve.mustSee("rated, game 1 of 2", "watching  eve")
		first.press("r y")
		eve.mustSee("Second game in 5 seconds.")
		b.advance(match.SecondGameDelay)
		eve.mustSee("The second game is on: Enter watches.")
		over := eve.screen.(*resultScreen)
		over.list = newYou(eve.env) // as if the match were shown from there, where the second game may be over, too
		eve.mustSee("Enter shows the second game.")
		if again := newReplay(eve.env, over.table, &reviewScreen{result: over}); again.list != over.list {
			t.Error("the match after one of the list does not lead back to it")
		}
		over.list = nil
		eve.press("enter")
		eve.mustSee("rated, game 2 of 2", "watching  eve")
		first.press("r y")
		eve.mustSee(second.env.player.Name + " won the pair 2–0.")
		if strings.Contains(eve.sees(), "Second game") {
			t.Errorf("a third game:\n%s", eve.sees())
		}
	})
}

func TestGuestsPlayNoRatedPairs(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(guest("guy"))
		p.press("1 esc up enter down right enter")
		p.mustSee("Rated pairs need a key, not a guest.")
	})
}

// A review of the game can be played on, from its opening, without being rated.
func TestPlayingOnFromARatedGame(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.rated()
		first.press("r y")
		b.advance(match.SecondGameDelay)
		at := tableOf(second.screen)
		b.advance(second.env.answerDelay())
		m := at.Position.Legal()[0]
		second.press(rules.BoardName(int(m.Board)) + " " + m.Cell.String())
		opened := at.Start
		first.press("r y")
		second.press("v")
		second.mustSee("Review")
		second.press("p")
		on := tableOf(second.screen)
		if on.ID == at.ID || on.Pool.IsRated() || on.Moves[0] == m {
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
		if position != opened {
			t.Errorf("played on from %v, not from %v", position, opened)
		}
	})
}
