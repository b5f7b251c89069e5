package history

import (
	"time"

	"notakto/rules"
	"notakto/rules/opening"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

// firstMove is how long a player of a rated pair may take for the first move, the shortest limit for a move, less what
// the event that begins the turn may take to a busy client.
const firstMove = 30*time.Second - time.Second/2

// pairGame is what is known of a match that is a game of a rated pair; the zero value is none.
type pairGame struct {
	botproto.Pair
	opening wire.Opening
	start   rules.Position
}

// paired takes in what a match event says of the pair. It never changes, but for the seed, which is told when the pair
// is over.
func (c *checker) paired(h *history, line botproto.Match) {
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

// drawn takes in that a rated pair begins: each of its players has sought one.
func (c *checker) drawn(h *history) {
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

// hasPairEnded reports whether the match was the last game of a pair.
func (h *history) hasPairEnded() bool { return h.end != nil && h.end.PairResult != nil }

// isVoid reports whether the match does not count.
func (h *history) isVoid() bool { return h.end != nil && h.end.Winner == rules.Nobody }

// inTime checks an end by time: only rated matches have a limit here.
func (c *checker) inTime(h *history, line botproto.End) {
	turn := h.position.Turn()
	if h.pair.Game == 0 || h.position.Outcome().Over() || line.Winner != turn.Other() ||
		c.recordable(h.turned) < firstMove {
		c.fault(WrongEnd, h, "%d won by time, %v after the last move",
			line.Winner, c.recordable(h.turned).Round(time.Millisecond))
	}
}

// concludePair checks what follows the first game of a pair: nothing if its loser left, or if it is void; else exactly
// one second game, with the seats swapped, from the sibling opening.
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
	ends := h.isVoid() || h.end.Reason == rules.Abandoned.String()
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
		c.siblings(h, seconds[0])
	}
}

// siblings checks the second game of a pair against the first one.
func (c *checker) siblings(one, two *history) {
	if two.players != [2]wire.Player{one.players[1], one.players[0]} || two.variant != one.variant {
		c.fault(Unpaired, two, "of %v, after the first game of %v", two.players, one.players)
	}
	if two.end == nil {
		return // a fault by itself
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
		return // no player has asked for it
	}
	c.Figures.Seeds++
	if drawn := opening.Draw(seed); drawn != (opening.Pair{one.pair.start, two.pair.start}) ||
		opening.Hash(seed) != one.pair.opening.Hash || one.pair.opening.Hash != two.pair.opening.Hash {
		c.fault(Unpaired, two, "the seed %q leads to %v, and the games began from %v and %v",
			seed, drawn, one.pair.start, two.pair.start)
	}
}

// isSecondGame reports whether a match event is that of a second game, which comes without a seek.
func isSecondGame(line botproto.Match) bool { return line.Pair != nil && line.Pair.Game == 2 }

// pairOf returns what a match event says of the pair.
func pairOf(line botproto.Match, start rules.Position) pairGame {
	if !line.Rated || line.Pair == nil || line.Opening == nil {
		return pairGame{}
	}
	return pairGame{Pair: *line.Pair, opening: wire.Opening{Hash: line.Opening.Hash}, start: start}
}
