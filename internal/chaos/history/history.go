package history

import (
	"errors"
	"sort"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

// history is a match as received by all clients.
type history struct {
	id       match.ID
	begun    int64 // the first entry with it
	variant  rules.Variant
	start    rules.Position
	pair     pairGame
	turned   time.Duration // when the last move was received, or the match
	clocks   clocks        // as the last move event had them
	players  [2]wire.Player
	moves    []ply
	position rules.Position
	end      *botproto.End // the end event
	ended    int64         // the first entry with it

	asked    map[requester]*requests
	unsure   []requester
	resigned map[string]bool
	left     map[string]time.Duration // when a player's last connection was cut
	vanished bool
}

// ply is a move, and the first entry with it.
type ply struct {
	text string
	n    int64
}

// requester is a player and a requested move.
type requester struct{ who, move string }

// requests counts how often a move was sent, and how often it was refused.
type requests struct{ sent, refused int }

func (h *history) requests(who, move string) *requests {
	key := requester{who, strings.ToUpper(move)}
	if h.asked[key] == nil {
		h.asked[key] = new(requests)
	}
	return h.asked[key]
}

// open returns the history of a match event's match, and creates it for the first event.
func (c *checker) open(line botproto.Match) *history {
	if h := c.matches[line.Match]; h != nil {
		if h.variant.String() != line.Variant || h.players != line.Players {
			c.fault(Split, h, "the match was %s of %v, now it is %s of %v", h.variant, h.players, line.Variant, line.Players)
		}
		return h
	}
	start, err := line.Start()
	if err != nil {
		c.fault(Garbled, nil, "match %s: %v", line.Match, err)
		return nil
	}
	h := &history{
		id: line.Match, begun: c.now.N, variant: start.Variant(), players: line.Players, start: start, position: start,
		pair: pairOf(line, start), turned: c.now.At,
		asked: map[requester]*requests{}, resigned: map[string]bool{}, left: map[string]time.Duration{},
	}
	c.matches[h.id], c.order = h, append(c.order, h)
	c.Figures.Matches++
	c.drawn(h)
	return h
}

// known returns how many plies a client had received before an entry.
func (h *history) known(before int64) int {
	return sort.Search(len(h.moves), func(i int) bool { return h.moves[i].n >= before })
}

// agree compares a received ply with the history. A new one must follow the rules. If two differ the newer one counts,
// so that moves which follow from it are not faults too.
func (c *checker) agree(h *history, number int, text string) {
	if number <= len(h.moves) {
		was := h.moves[number-1]
		if was.text == text {
			return
		}
		c.fault(Split, h, "ply %d was %s in entry %d, now it is %s; %d plies were known",
			number, was.text, was.n, text, len(h.moves))
		c.lose(h, number-1)
	}
	if number > len(h.moves)+1 {
		c.fault(Gap, h, "ply %d is received when only %d are known", number, len(h.moves))
		return
	}
	m, err := h.variant.ParseMove(text)
	if err == nil {
		var next rules.Position
		if next, err = h.position.Play(m); err == nil {
			h.position = next
		}
	}
	switch {
	case errors.Is(err, rules.ErrCellTaken):
		c.fault(Twice, h, "ply %d, %s, is on the board already", number, text)
	case err != nil:
		c.fault(Illegal, h, "ply %d, %s: %v", number, text, err)
	}
	h.moves, h.turned = append(h.moves, ply{text, c.now.N}), c.now.At
	c.Figures.Moves++
	c.countSilence()
}

// countSilence adds the time since the previous move, while moves are expected.
func (c *checker) countSilence() {
	if gap := c.now.At - c.lastNew; gap > c.Figures.Silence && !c.quiet && c.lastNew > 0 {
		c.Figures.Silence, c.Figures.SilenceFrom = gap, c.lastNew
	}
	c.lastNew = c.now.At
}

// lose removes the plies after the first ones: a client received them, and they are lost.
func (c *checker) lose(h *history, first int) {
	c.Figures.LostMoves += len(h.moves) - first
	h.moves, h.position = h.moves[:first], h.start
	for _, p := range h.moves {
		if m, err := h.variant.ParseMove(p.text); err == nil {
			if next, err := h.position.Play(m); err == nil {
				h.position = next
			}
		}
	}
}
