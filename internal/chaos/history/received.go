package history

import (
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// shown processes a match event: the whole state of a match.
func (c *checker) shown(l *link, line botproto.Match) {
	defer l.answered(botproto.DoState, line.Match)
	if !line.Started() {
		return
	}
	h := c.open(line)
	if h == nil {
		return
	}
	c.paired(h, line)
	asked, before := l.asked[h.id], l.views[h.id]
	c.whole(l, h, line, max(h.known(asked), before.received()))
	for i, text := range line.Moves {
		c.agree(h, i+1, text)
	}
	if len(line.Moves) == len(h.moves) {
		c.checkPosition(h, line)
	}
	c.listed(l, h, line)
	c.seated(l, h, line)
	v := &view{plies: len(line.Moves)}
	v.ended = before != nil && before.ended && !line.Over // after a match event with its moves the end may come again
	if l.views[h.id] = v; l.cutting {
		delete(l.views, h.id)
	}
	if line.Seat != 0 && !line.Over && c.started >= 0 {
		c.Figures.Return = append(c.Figures.Return, c.now.At-c.started)
		c.started = -1
	}
}

func (v *view) received() int {
	if v == nil {
		return 0
	}
	return v.plies
}

// whole checks that nothing is missing that was received before the request.
func (c *checker) whole(l *link, h *history, line botproto.Match, known int) {
	undone := h.end != nil && !line.Over && h.ended < l.asked[h.id]
	switch missing := len(line.Moves) < known; {
	case !missing && !undone:
	case c.Nodes > 1:
		c.Figures.Behind++
	case missing:
		c.fault(Lost, h, "%s receives %d plies, %d were known", l.who, len(line.Moves), known)
		c.lose(h, len(line.Moves))
	default:
		c.fault(WrongEnd, h, "%s receives that it goes on after its end in entry %d", l.who, h.ended)
	}
}

// checkPosition compares the position in a match event with its moves.
func (c *checker) checkPosition(h *history, line botproto.Match) {
	turn, over := h.position.Turn(), h.position.Outcome().Over()
	if over || line.Over {
		turn = rules.Nobody
	}
	if line.Position != h.position.String() || line.Turn != turn || over && !line.Over {
		c.fault(Illegal, h, "after %v: position %s, turn %d, over %v", line.Moves, line.Position, line.Turn, line.Over)
	}
}

// listed checks that the welcome of a returning player contains the match.
func (c *checker) listed(l *link, h *history, line botproto.Match) {
	if line.Over || line.Seat == 0 || h.begun > l.opened || l.lists(h) {
		return
	}
	if c.Nodes > 1 {
		c.Figures.Behind++
		return
	}
	c.fault(Unlisted, h, "%s was welcomed without it", l.who)
}

func (c *checker) seated(l *link, h *history, line botproto.Match) {
	if line.Seat > rules.Second || line.Seat.Valid() && h.players[line.Seat-1].ID != l.id {
		c.fault(Garbled, h, "%s, %s, receives seat %d of %v", l.who, l.id, line.Seat, h.players)
	}
}

// moved processes a move event. It must be the next ply of its session.
func (c *checker) moved(l *link, h *history, v *view, line botproto.Move) {
	if line.Seat.Valid() && h.players[line.Seat-1].ID == l.id {
		c.moves(l.where)
		if l.request != nil && l.request.Move == line.Move {
			l.answered(botproto.DoMove, h.id)
		}
	}
	switch {
	case line.Ply <= v.plies:
		c.fault(Twice, h, "%s receives ply %d again", l.who, line.Ply)
		return
	case line.Ply > v.plies+1:
		c.fault(Gap, h, "%s receives ply %d after %d", l.who, line.Ply, v.plies)
	case v.ended:
		c.fault(WrongEnd, h, "%s receives ply %d after the end", l.who, line.Ply)
	}
	v.plies = line.Ply
	c.agree(h, line.Ply, line.Move)
	if line.Ply == len(h.moves) {
		c.follows(h, line)
	}
}

// follows compares the other fields of a move event with the rules.
func (c *checker) follows(h *history, line botproto.Move) {
	mover := rules.Side(2 - line.Ply%2)
	turn := h.position.Turn()
	if h.position.Outcome().Over() {
		turn = rules.Nobody
	}
	died := false
	if m, err := h.variant.ParseMove(line.Move); err == nil {
		died = h.position.Dead(int(m.Board))
	}
	if line.Seat != mover || line.Turn != turn || (line.Died != nil) != died {
		c.fault(Illegal, h, "ply %d, %s: seat %d, turn %d, died %v",
			line.Ply, line.Move, line.Seat, line.Turn, line.Died != nil)
	}
}
