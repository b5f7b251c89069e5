package history

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

type link struct {
	who     string
	where   string             // name of the node
	id      match.PlayerID     // from the welcome, empty before
	opened  int64              // number of the Opened entry
	since   time.Duration      // time of the Opened entry
	told    bool               // the client knows of the outage
	listed  []match.ID         // in the welcome
	asked   map[match.ID]int64 // by match, number of the entry with the last request about the match
	request *botproto.Request  // last request sent, nil once it is answered
	views   map[match.ID]*view
	cutting bool // the Cut entry has come, though lines may still follow
}

// view holds the progress of one connection through the events of a match.
type view struct {
	plies int
	ended bool
}

func (c *checker) handleWelcome(l *link, line botproto.Welcome) {
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

func (c *checker) handleRequest(l *link, line botproto.Request) {
	l.request = &line
	l.asked[line.Match] = c.now.N
	h := c.matches[line.Match]
	switch {
	case h == nil:
	case line.Do == botproto.DoMove:
		h.requests(l.who, line.Move).sent++
		if l.cutting {
			c.handleCut(l)
		}
	case line.Do == botproto.DoResign || line.Do == botproto.DoLeave:
		h.resigned[l.who] = true
	}
}

// answered clears l.request if do and id match the request.
func (l *link) answered(do botproto.Verb, id match.ID) {
	if l.request != nil && l.request.Do == do && l.request.Match == id {
		l.request = nil
	}
}

func (c *checker) handleError(l *link, line botproto.Error) {
	w := l.request
	if w == nil || line.Do != "" && line.Do != w.Do {
		return
	}
	h := c.matches[w.Match]
	switch {
	case h == nil:
	case w.Do == botproto.DoMove && line.Code.IsDefinite():
		h.requests(l.who, w.Move).refused++
	case w.Do == botproto.DoMove:
		c.addUnsure(l, h, w.Move)
	case w.Do == botproto.DoWatch && line.Code == botproto.CodeNoSuchMatch:
		c.handleUnknown(l, h)
	}
	l.request = nil
}

// handleCut ends l unless nil. The result of a pending move becomes unknown.
func (c *checker) handleCut(l *link) {
	if l == nil {
		return
	}
	if w := l.request; w != nil && w.Do == botproto.DoMove && c.matches[w.Match] != nil {
		c.addUnsure(l, c.matches[w.Match], w.Move)
	}
	l.request, l.cutting = nil, true
	for id := range l.views {
		c.matches[id].left[l.who] = c.now.At
	}
	l.views = map[match.ID]*view{}
}

func (c *checker) addUnsure(l *link, h *history, move string) {
	c.Figures.Unknown++
	h.unsure = append(h.unsure, requester{l.who, move})
}

func (c *checker) hasOpen(who string, h *history) bool {
	for _, l := range c.links {
		if l.who == who && l.views[h.id] != nil {
			return true
		}
	}
	return false
}

func (l *link) lists(h *history) bool { return slices.Contains(l.listed, h.id) }
