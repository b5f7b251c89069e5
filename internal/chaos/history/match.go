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

// history is one match, merged from the events of all clients.
type history struct {
	id       match.ID
	begun    int64 // number of the first entry with the match
	variant  rules.Variant
	start    rules.Position
	pair     pairGame
	turned   time.Duration // when the last new move was received, or the match if it has no move
	clocks   clocks        // of the last move event
	players  [2]wire.Player
	moves    []ply
	position rules.Position
	end      *botproto.End // nil while the match goes on
	ended    int64         // number of the first entry with end

	asked    map[requester]*requests
	unsure   []requester
	resigned map[string]bool
	left     map[string]time.Duration // when a player's last connection was cut
	vanished bool
}

type ply struct {
	text string
	n    int64 // number of the first entry with the move
}

type requester struct{ who, move string }

type requests struct{ sent, refused int }

func (h *history) requests(who, move string) *requests {
	key := requester{who, strings.ToUpper(move)}
	if h.asked[key] == nil {
		h.asked[key] = new(requests)
	}
	return h.asked[key]
}

// openHistory returns the history of the event's match, a new one at the first event, or nil if the event has an
// invalid start.
func (c *checker) openHistory(line botproto.Match) *history {
	if h := c.matches[line.Match]; h != nil {
		if h.variant.String() != line.Variant || h.players != line.Players {
			c.fault(Split, h, "the match was %s of %v, now it is %s of %v", h.variant, h.players,
				line.Variant, line.Players)
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
	c.useSeeks(h)
	return h
}

// known returns the number of plies that any client had received before the entry of that number.
func (h *history) known(before int64) int {
	return sort.Search(len(h.moves), func(i int) bool { return h.moves[i].n >= before })
}

// addPly compares a received ply with the history, or adds a new ply after a check by the rules. If two differ, the
// newer one replaces the older, because the moves that follow would otherwise be faults too.
func (c *checker) addPly(h *history, number int, text string) {
	if number <= len(h.moves) {
		was := h.moves[number-1]
		if was.text == text {
			return
		}
		c.fault(Split, h, "ply %d was %s in entry %d, now it is %s; %d plies were known",
			number, was.text, was.n, text, len(h.moves))
		c.removePlies(h, number-1)
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

// countSilence updates Figures.Silence until the Quiet entry.
func (c *checker) countSilence() {
	if gap := c.now.At - c.lastNew; gap > c.Figures.Silence && !c.quiet && c.lastNew > 0 {
		c.Figures.Silence, c.Figures.SilenceFrom = gap, c.lastNew
	}
	c.lastNew = c.now.At
}

// removePlies keeps the first plies and counts the others as lost.
func (c *checker) removePlies(h *history, first int) {
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

// handleMatch checks a match event and the whole state of the match in it.
func (c *checker) handleMatch(l *link, line botproto.Match) {
	defer l.answered(botproto.DoState, line.Match)
	if !line.HasStarted() {
		return
	}
	h := c.openHistory(line)
	if h == nil {
		return
	}
	c.checkPair(h, line)
	asked, before := l.asked[h.id], l.views[h.id]
	c.checkComplete(l, h, line, max(h.known(asked), before.received()))
	for i, text := range line.Moves {
		c.addPly(h, i+1, text)
	}
	if len(line.Moves) == len(h.moves) {
		c.checkPosition(h, line)
	}
	c.checkListed(l, h, line)
	c.checkSeat(l, h, line)
	v := &view{plies: len(line.Moves)}
	// After a match event with Over, the end event may come a second time.
	v.ended = before != nil && before.ended && !line.Over
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

// checkComplete checks that the event has the known plies, and the end if one was received before the request.
func (c *checker) checkComplete(l *link, h *history, line botproto.Match, known int) {
	undone := h.end != nil && !line.Over && h.ended < l.asked[h.id]
	switch missing := len(line.Moves) < known; {
	case !missing && !undone:
	case c.Nodes > 1:
		c.Figures.Behind++
	case missing:
		c.fault(Lost, h, "%s receives %d plies, %d were known", l.who, len(line.Moves), known)
		c.removePlies(h, len(line.Moves))
	default:
		c.fault(WrongEnd, h, "%s receives that it goes on after its end in entry %d", l.who, h.ended)
	}
}

func (c *checker) checkPosition(h *history, line botproto.Match) {
	turn, over := h.position.Turn(), h.position.Outcome().IsOver()
	if over || line.Over {
		turn = rules.NoSide
	}
	if line.Position != h.position.String() || line.Turn != turn || over && !line.Over {
		c.fault(Illegal, h, "after %v: position %s, turn %d, over %v", line.Moves, line.Position, line.Turn, line.Over)
	}
}

func (c *checker) checkListed(l *link, h *history, line botproto.Match) {
	if line.Over || line.Seat == 0 || h.begun > l.opened || l.lists(h) {
		return
	}
	if c.Nodes > 1 {
		c.Figures.Behind++
		return
	}
	c.fault(Unlisted, h, "%s was welcomed without it", l.who)
}

func (c *checker) checkSeat(l *link, h *history, line botproto.Match) {
	if line.Seat > rules.Second || line.Seat.IsValid() && h.players[line.Seat-1].ID != l.id {
		c.fault(Garbled, h, "%s, %s, receives seat %d of %v", l.who, l.id, line.Seat, h.players)
	}
}

// handleMove checks that a move event has the next ply of its session.
func (c *checker) handleMove(l *link, h *history, v *view, line botproto.Move) {
	if line.Seat.IsValid() && h.players[line.Seat-1].ID == l.id {
		c.checkPause(l.where)
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
	c.addPly(h, line.Ply, line.Move)
	if line.Ply == len(h.moves) {
		c.checkMoveEvent(h, line)
	}
}

// checkMoveEvent compares Seat, Turn and Died with the rules.
func (c *checker) checkMoveEvent(h *history, line botproto.Move) {
	mover := rules.Side(2 - line.Ply%2)
	turn := h.position.Turn()
	if h.position.Outcome().IsOver() {
		turn = rules.NoSide
	}
	died := false
	if m, err := h.variant.ParseMove(line.Move); err == nil {
		died = h.position.IsDead(int(m.Board))
	}
	if line.Seat != mover || line.Turn != turn || (line.Died != nil) != died {
		c.fault(Illegal, h, "ply %d, %s: seat %d, turn %d, died %v",
			line.Ply, line.Move, line.Seat, line.Turn, line.Died != nil)
	}
}

// handleEnd checks that an end event agrees with earlier ones of its match. checkReason checks the first one.
func (c *checker) handleEnd(l *link, h *history, v *view, line botproto.End) {
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
	c.checkReason(h, line)
}

func (c *checker) checkReason(h *history, line botproto.End) {
	outcome := h.position.Outcome()
	switch line.Reason {
	case rules.ReasonBoards.String(), rules.ReasonLine.String(), rules.ReasonDraw.String():
		if outcome.Reason.String() != line.Reason || outcome.Winner != line.Winner {
			c.fault(WrongEnd, h, "won by %d (%s), and the position says %d (%s)",
				line.Winner, line.Reason, outcome.Winner, outcome.Reason)
		}
	case rules.ReasonResign.String():
		if who := c.loserName(h, line); outcome.IsOver() || !h.resigned[who] {
			c.fault(WrongEnd, h, "%s has not resigned", who)
		}
	case rules.ReasonTime.String():
		c.checkTimeout(h, line)
	case rules.ReasonAbandoned.String():
		// The second time within a day, a missing first move loses the first game of a pair.
		isLost := h.pair.Game == 1 && len(h.moves) < len(h.players) && line.Winner == h.position.Turn().Other()
		if (line.Winner == rules.NoSide || isLost) && c.recordable(h.turned) >= firstMove {
			return // the first move did not come in time
		}
		who := c.loserName(h, line)
		if outcome.IsOver() || c.absence(who, h) < c.Grace {
			c.fault(Deserted, h, "%s was away for %v", who, c.absence(who, h).Round(time.Millisecond))
		}
	default:
		c.fault(WrongEnd, h, "no match ends by %q", line.Reason)
	}
}

// loserName returns "" without a loser, or if no bot has the loser's ID.
func (c *checker) loserName(h *history, line botproto.End) string {
	if !line.Winner.IsValid() {
		return ""
	}
	return c.ids[h.players[2-line.Winner].ID]
}

// absence returns the time since a player last had the match open, 0 for the empty name.
func (c *checker) absence(who string, h *history) time.Duration {
	if who == "" || c.hasOpen(who, h) {
		return 0
	}
	return c.now.At - h.left[who]
}

// handleUnknown counts the answer that h does not exist, although a client has received events of h.
func (c *checker) handleUnknown(l *link, h *history) {
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

// conclude runs the checks of a match that need the whole record.
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
