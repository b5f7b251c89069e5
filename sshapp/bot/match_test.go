package bot

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
)

// Two bots and a spectator receive the same events, and the events are a game by the rules.
func TestWholeMatches(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, variant := range []string{"notakto/1", "notakto/2", "notakto/3", "notakto/5", "notakto/9", "tictactoe"} {
		for range 3 {
			t.Run(variant, func(t *testing.T) { inBubble(t, func(b *harness) { b.playOut(variant, chance) }) })
		}
	}
}

func (h *harness) playOut(variant string, chance *rand.Rand) {
	h.Helper()
	first, second, id := h.pair(variant)
	third := h.enter(cleo())
	third.asked(about(id, "watch"), "match seat=0 moves=[]")
	third.asked(about(id, "resign"), "error code=not_seated do=resign")
	v, err := rules.ParseVariant(variant)
	testkit.OK(h, err)
	position := v.Start()
	for ply := 1; !position.Outcome().IsOver(); ply++ {
		mover, alive := [2]*peer{second, first}[ply%2], position.LiveBoards()
		m := position.LegalMoves()[chance.IntN(len(position.LegalMoves()))]
		mover.says(move(id, strings.ToLower(v.FormatMove(m))))
		if position, err = position.Play(m); err != nil {
			h.Fatal(err)
		}
		turn, died := position.Turn(), "null"
		if position.LiveBoards() < alive {
			died = rules.BoardName(int(m.Board))
		}
		wants := []string{""}
		if outcome := position.Outcome(); outcome.IsOver() {
			turn = rules.NoSide
			wants = append(wants, fmt.Sprintf("end match=%s winner=%d reason=%s", id, outcome.Winner, outcome.Reason))
		}
		wants[0] = fmt.Sprintf("move match=%s ply=%d seat=%d move=%s died=%s turn=%d", id, ply, 2-ply%2,
			v.FormatMove(m), died, turn)
		for _, c := range []*peer{first, second, third} {
			c.expects(wants...)
		}
		refused := "cell_taken"
		switch {
		case turn == rules.NoSide:
			refused = "match_over"
		case died != "null":
			refused = "board_dead"
		}
		[2]*peer{first, second}[ply%2].asked(move(id, v.FormatMove(m)), "error code="+refused+" do=move")
	}
	second.asked(about(id, "state"), "match turn=0 over=true position="+position.String())
	third.says(about(id, "leave"))
	first.asked(about(id, "rematch")) // the seats swap
	next := second.asked(about(id, "rematch"), "match seat=1 turn=1 moves=[]")[0].str("match")
	first.expects("match seat=2 match=" + next)
	first.leaves()
	second.expects("presence seat=2 present=false match=" + next)
	third.expects()
}

// A bot offered a rematch and was paired with a third bot. The first opponent's acceptance used to begin a second
// match.
func TestAnOfferOfARematchEndsWithAnotherMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/1")
		rematch := about(id, "rematch")
		first.says(about(id, "resign"), rematch, `{"do":"computer","level":"novice","seat":1}`)
		first.expects("end", "match", "notice")[2].tells(t, "your offer of a rematch of match "+id+" has ended")
		second.asked(rematch, "end")
		first.asked(rematch, "match") // the bot may offer again
		second.expects("match")
	})
}

// A rematch needs both bots present. The waiting bot hears that the opponent is in another match.
func TestABotIsToldThatTheOpponentPlaysElsewhere(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/1")
		rematch := about(id, "rematch")
		others := b.connect(first.player)
		first.says(about(id, "resign"), rematch)
		first.leaves()
		second.asked(rematch, "end", "presence present=false")
		others.says(`{"do":"computer","level":"novice","seat":1}`)
		second.expects("notice")[0].tells(t,
			first.player.Name+" has begun another match, so match "+id+" has no rematch for now")
	})
}
