package history

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// link is one connection.
type link struct {
	who     string
	where   string         // the node
	id      match.PlayerID // the player's, from the welcome
	opened  int64
	since   time.Duration      // when it was opened
	told    bool               // that nothing can be recorded
	listed  []match.ID         // in the welcome
	asked   map[match.ID]int64 // the entry that last asked about a match
	request *botproto.Request  // the last one sent, while it has no answer
	views   map[match.ID]*view
	cutting bool // it has ended
}

// view is one match as one connection received it.
type view struct {
	plies int
	ended bool
}

func (c *checker) welcome(l *link, line botproto.Welcome) {
	if line.Player.ID == "" {
		c.fault(Garbled, nil, "%s is welcomed without an identifier", l.who)
		return
	}
	l.id, l.listed = line.Player.ID, line.Matches
	if other, known := c.ids[l.id]; known && other != l.who {
		c.fault(Garbled, nil, "%s and %s are both %s", l.who, other, l.id)
	}
	c.ids[l.id] = l.who
}

func (c *checker) sent(l *link, line botproto.Request) {
	l.request = &line
	l.asked[line.Match] = c.now.N
	h := c.matches[line.Match]
	switch {
	case h == nil:
	case line.Do == botproto.DoMove:
		h.requests(l.who, line.Move).sent++
		if l.cutting {
			c.cut(l)
		}
	case line.Do == botproto.DoResign || line.Do == botproto.DoLeave:
		h.resigned[l.who] = true
	}
}

// answered records that the last request has its answer.
func (l *link) answered(do botproto.Verb, id match.ID) {
	if l.request != nil && l.request.Do == do && l.request.Match == id {
		l.request = nil
	}
}

// refused processes an error in answer to the last request.
func (c *checker) refused(l *link, line botproto.Error) {
	w := l.request
	if w == nil || line.Do != "" && line.Do != w.Do {
		return
	}
	h := c.matches[w.Match]
	switch {
	case h == nil:
	case w.Do == botproto.DoMove && line.Code.Definite():
		h.requests(l.who, w.Move).refused++
	case w.Do == botproto.DoMove:
		c.unsure(l, h, w.Move)
	case w.Do == botproto.DoWatch && line.Code == botproto.CodeNoSuchMatch:
		c.vanished(l, h)
	}
	l.request = nil
}

// cut processes the end of a connection: the result of a pending move is unknown.
func (c *checker) cut(l *link) {
	if l == nil {
		return
	}
	if w := l.request; w != nil && w.Do == botproto.DoMove && c.matches[w.Match] != nil {
		c.unsure(l, c.matches[w.Match], w.Move)
	}
	l.request, l.cutting = nil, true
	for id := range l.views {
		c.matches[id].left[l.who] = c.now.At
	}
	l.views = map[match.ID]*view{}
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

// lists reports whether the welcome contained a match.
func (l *link) lists(h *history) bool { return slices.Contains(l.listed, h.id) }
