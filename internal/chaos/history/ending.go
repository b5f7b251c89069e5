package history

import (
	"time"

	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// ended processes an end event. All must agree, and follow from the position or from a player's action.
func (c *checker) ended(l *link, h *history, v *view, line botproto.End) {
	l.answered(botproto.DoResign, h.id)
	if v.ended {
		c.fault(Twice, h, "%s receives the end again", l.who)
	}
	v.ended = true
	if h.end != nil {
		if h.end.Winner != line.Winner || h.end.Reason != line.Reason {
			c.fault(Split, h, "won by %d (%s) in entry %d, now by %d (%s)",
				h.end.Winner, h.end.Reason, h.ended, line.Winner, line.Reason)
		}
		return
	}
	h.end, h.ended = &line, c.now.N
	c.Figures.Ends[line.Reason]++
	if v.plies != len(h.moves) {
		c.fault(WrongEnd, h, "%s receives the end after %d plies, %d are known", l.who, v.plies, len(h.moves))
	}
	c.justified(h, line)
}

func (c *checker) justified(h *history, line botproto.End) {
	outcome := h.position.Outcome()
	switch line.Reason {
	case rules.Boards.String(), rules.Line.String(), rules.Draw.String():
		if outcome.Reason.String() != line.Reason || outcome.Winner != line.Winner {
			c.fault(WrongEnd, h, "won by %d (%s), and the position says %d (%s)",
				line.Winner, line.Reason, outcome.Winner, outcome.Reason)
		}
	case rules.Resign.String():
		if who := c.loser(h, line); outcome.Over() || !h.resigned[who] {
			c.fault(WrongEnd, h, "%s has not resigned", who)
		}
	case rules.Time.String():
		c.inTime(h, line)
	case rules.Abandoned.String():
		if line.Winner == rules.Nobody && c.recordable(h.turned) >= firstMove {
			return // a first move was missing
		}
		who := c.loser(h, line)
		if outcome.Over() || c.away(who, h) < c.Grace {
			c.fault(Deserted, h, "%s was away for %v", who, c.away(who, h).Round(time.Millisecond))
		}
	default:
		c.fault(WrongEnd, h, "no match ends by %q", line.Reason)
	}
}

// loser returns the name of the player who lost; empty if there is none or the name is unknown.
func (c *checker) loser(h *history, line botproto.End) string {
	if !line.Winner.Valid() {
		return ""
	}
	return c.ids[h.players[2-line.Winner].ID]
}

// away returns how long a player has not had the match open; 0 if there is none.
func (c *checker) away(who string, h *history) time.Duration {
	if who == "" || c.hasOpen(who, h) {
		return 0
	}
	return c.now.At - h.left[who]
}

// vanished processes the answer that a requested match is unknown.
func (c *checker) vanished(l *link, h *history) {
	switch {
	case c.Nodes > 1:
		c.Figures.Behind++
	case !h.vanished:
		h.vanished = true
		c.Figures.LostMatches++
		c.Figures.LostMoves += len(h.moves)
		c.fault(Vanished, h, "%s asks for it, and there is no such match; %d plies were known", l.who, len(h.moves))
	}
}

// conclude checks what is known of a match only at the end of the record.
func (c *checker) conclude(h *history) {
	for _, w := range h.unsure {
		for i, p := range h.moves {
			if p.text == w.move && c.ids[h.players[i%2].ID] == w.who {
				c.Figures.Recorded++
			}
		}
	}
	for i, p := range h.moves {
		who, bot := c.ids[h.players[i%2].ID]
		if w := h.requests(who, p.text); bot && w.sent <= w.refused {
			c.fault(Unrequested, h, "ply %d, %s: %s sent it %d times and was refused %d times",
				i+1, p.text, who, w.sent, w.refused)
		}
	}
	c.concludePair(h)
	if h.end == nil && !h.vanished {
		c.fault(Unfinished, h, "%d plies, between %v", len(h.moves), h.players)
	}
}
