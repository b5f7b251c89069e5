package history

import (
	"time"

	"notakto/rules"
	"notakto/rules/opening"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

// firstMove is the server's limit for the first move of a rated pair, the shortest limit for a move. Half a second is
// taken off, because the event that begins the turn may reach a busy client late.
const firstMove = 30*time.Second - time.Second/2

// pairGame describes a game of a rated pair. The zero value stands for a match without a pair.
type pairGame struct {
	botproto.Pair
	opening wire.Opening
	start   rules.Position
}

// checkPair compares the pair in a match event with earlier events. Only the seed may change, and only once the pair
// is over.
func (c *checker) checkPair(h *history, line botproto.Match) {
	if line.Rated != (h.pair.Game != 0) || line.Rated && (line.Pair == nil || line.Opening == nil) {
		c.fault(Split, h, "it was rated: %t, now %t", h.pair.Game != 0, line.Rated)
		return
	}
	if !line.Rated {
		return
	}
	start, err := line.Start()
	if err != nil || *line.Pair != h.pair.Pair || line.Opening.Hash != h.pair.opening.Hash || start != h.pair.start {
		c.fault(Split, h, "it was game %+v from %v, now it is %+v from %v", h.pair.Pair, h.pair.start, *line.Pair, start)
	}
	if line.Opening.Seed == "" {
		return
	}
	if !line.Over {
		c.fault(Unpaired, h, "the seed is told before the pair is over")
	}
	h.pair.opening.Seed = line.Opening.Seed
}

// useSeeks counts one seek less for the players of a new rated pair.
func (c *checker) useSeeks(h *history) {
	if h.pair.Game != 1 {
		return
	}
	for _, player := range h.players {
		who, isBot := c.ids[player.ID]
		if c.unused[who]--; isBot && c.unused[who] < 0 {
			c.fault(Doubled, h, "%s has not sought another opponent", who)
		}
	}
}

func (h *history) hasPairEnded() bool { return h.end != nil && h.end.PairResult != nil }

func (h *history) isVoid() bool { return h.end != nil && h.end.Winner == rules.NoSide }

// checkTimeout checks an end by time. In the matches of the bots only rated ones have a limit.
func (c *checker) checkTimeout(h *history, line botproto.End) {
	turn := h.position.Turn()
	if h.pair.Game == 0 || h.position.Outcome().IsOver() || line.Winner != turn.Other() ||
		c.recordable(h.turned) < firstMove {
		c.fault(WrongEnd, h, "%d won by time, %v after the last move",
			line.Winner, c.recordable(h.turned).Round(time.Millisecond))
	}
}

// concludePair checks the continuation of the first game of a pair. A pair ends there if the game is void or the
// loser left. Otherwise exactly one second game must follow, with the seats swapped and from the sibling opening.
func (c *checker) concludePair(h *history) {
	if h.hasPairEnded() {
		c.Figures.Results++
	}
	if h.pair.opening.Seed != "" && h.end != nil && !h.hasPairEnded() && !h.isVoid() {
		c.fault(Unpaired, h, "the seed is told before the pair is over")
	}
	if h.pair.Game != 1 || h.end == nil {
		return
	}
	c.Figures.Pairs++
	var seconds []*history
	for _, other := range c.order {
		if other.pair.Game == 2 && other.pair.ID == h.id {
			seconds = append(seconds, other)
		}
	}
	ends := h.isVoid() || h.end.Reason == rules.ReasonAbandoned.String()
	if h.hasPairEnded() != (ends && !h.isVoid()) {
		c.fault(Unpaired, h, "it ended by %s with the pair's result: %t", h.end.Reason, h.hasPairEnded())
	}
	switch {
	case ends && len(seconds) == 0:
	case ends:
		c.fault(Unpaired, h, "it ended by %s, and %d games follow", h.end.Reason, len(seconds))
	case len(seconds) != 1:
		c.fault(Unpaired, h, "%d second games follow", len(seconds))
	default:
		c.checkSecondGame(h, seconds[0])
	}
}

func (c *checker) checkSecondGame(one, two *history) {
	if two.players != [2]wire.Player{one.players[1], one.players[0]} || two.variant != one.variant {
		c.fault(Unpaired, two, "of %v, after the first game of %v", two.players, one.players)
	}
	if two.end == nil {
		return // conclude reports Unfinished
	}
	points := 0
	for _, winner := range []rules.Side{two.end.Winner, one.end.Winner.Other()} {
		if winner == rules.First {
			points++
		}
	}
	if !two.hasPairEnded() || *two.end.PairResult != points {
		c.fault(Unpaired, two, "the pair's result is not %d", points)
	}
	seed := two.pair.opening.Seed
	if seed == "" {
		return // no player has asked for the seed
	}
	c.Figures.Seeds++
	if drawn := opening.Draw(seed); drawn != (opening.Pair{one.pair.start, two.pair.start}) ||
		opening.Commitment(seed) != one.pair.opening.Hash || one.pair.opening.Hash != two.pair.opening.Hash {
		c.fault(Unpaired, two, "the seed %q leads to %v, and the games began from %v and %v",
			seed, drawn, one.pair.start, two.pair.start)
	}
}

// isSecondGame reports whether line is of a second game. A second game follows without a seek.
func isSecondGame(line botproto.Match) bool { return line.Pair != nil && line.Pair.Game == 2 }

// pairOf returns the pair of a match event. The seed is left to checkPair.
func pairOf(line botproto.Match, start rules.Position) pairGame {
	if !line.Rated || line.Pair == nil || line.Opening == nil {
		return pairGame{}
	}
	return pairGame{Pair: *line.Pair, opening: wire.Opening{Hash: line.Opening.Hash}, start: start}
}
