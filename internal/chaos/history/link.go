package history

import "slices"

// link is one connection.
type link struct {
	who     string
	where   string // the node
	id      string // the player's, as the welcome has it
	opened  int64
	listed  []string         // in the welcome
	asked   map[string]int64 // the entry that last asked about a match
	request *Line            // the last one that was said, while nothing has come of it
	views   map[string]*view
	cutting bool // it is over
}

// view is one match as one connection was told of it.
type view struct {
	plies int
	ended bool
}

func (c *checker) welcome(l *link, line Line) {
	if line.Player == nil {
		c.fault(Garbled, nil, "%s is welcomed as nobody", l.who)
		return
	}
	l.id, l.listed = line.Player.ID, line.Matches
	if other, known := c.ids[l.id]; known && other != l.who {
		c.fault(Garbled, nil, "%s and %s are both %s", l.who, other, l.id)
	}
	c.ids[l.id] = l.who
}

func (c *checker) sent(l *link, line Line) {
	l.request = &line
	l.asked[line.Match] = c.now.N
	h := c.matches[line.Match]
	switch {
	case h == nil:
	case line.Do == "move":
		h.requests(l.who, line.Move).said++
		if l.cutting {
			c.cut(l)
		}
	case line.Do == "resign" || line.Do == "leave":
		h.resigned[l.who] = true
	}
}

// answered notes that something came of the last wish.
func (l *link) answered(do, match string) {
	if l.request != nil && l.request.Do == do && l.request.Match == match {
		l.request = nil
	}
}

// refused is an error in answer to the last wish.
func (c *checker) refused(l *link, line Line) {
	w := l.request
	if w == nil || line.Do != "" && line.Do != w.Do {
		return
	}
	h := c.matches[w.Match]
	switch {
	case h == nil:
	case w.Do == "move" && line.Definite():
		h.requests(l.who, w.Move).refused++
	case w.Do == "move":
		c.unsure(l, h, w.Move)
	case w.Do == "watch" && line.Code == "no_such_match":
		c.vanished(l, h)
	}
	l.request = nil
}

// cut is the end of a connection: nobody knows what came of a move that was under way.
func (c *checker) cut(l *link) {
	if l == nil {
		return
	}
	if w := l.request; w != nil && w.Do == "move" && c.matches[w.Match] != nil {
		c.unsure(l, c.matches[w.Match], w.Move)
	}
	l.request, l.cutting = nil, true
	for id := range l.views {
		c.matches[id].left[l.who] = c.now.At
	}
	l.views = map[string]*view{}
}

func (c *checker) unsure(l *link, h *history, move string) {
	c.Figures.Unknown++
	h.unsure = append(h.unsure, requester{l.who, move})
}

// hasOpen reports whether a player has a match open.
func (c *checker) hasOpen(who string, h *history) bool {
	for _, l := range c.links {
		if l.who == who && l.views[h.id] != nil {
			return true
		}
	}
	return false
}

// lists reports whether the welcome had a match.
func (l *link) lists(h *history) bool { return slices.Contains(l.listed, h.id) }
