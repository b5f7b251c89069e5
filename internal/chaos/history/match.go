package history

import (
	"slices"
	"sort"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

// firstMove is the server's limit for the first move of a rated pair, the shortest limit for a move. Half a second is
// taken off, because the event that begins the turn may reach a busy client late.
const firstMove = 30*time.Second - time.Second/2

// history is one match, merged from the events of all clients.
type history struct {
	begun   int // line that began it
	variant string
	game    int // of a rated pair, 0 if the match is not rated
	players [2]wire.Player
	moves   []ply
	turned  time.Duration // when the last new move was received, or the match if it has no move
	clocks  clocks
	end     *botproto.End            // nil while the match goes on
	asked   map[request]int          // requests minus refusals
	left    map[string]time.Duration // by client, when its last session with its seat was cut
}

type ply struct {
	text string
	line int // the first line with the move
}

// request is a move that a client asks for, or the empty move to resign.
type request struct{ who, move string }

// handleMatch checks a match event and merges its moves.
func (l *Link) handleMatch(m botproto.Match) {
	b := l.book
	if (l.request.Do == botproto.DoState || l.request.Do == botproto.DoWatch) && l.request.Match == m.Match {
		l.request = botproto.Request{}
	}
	if !m.HasStarted() {
		return
	}
	h := b.matches[m.Match]
	if h == nil {
		h = l.begin(m)
	} else if h.variant != m.Variant || h.players != m.Players {
		b.fault(Split, "%s was %s of %v, now it is %s of %v", m.Match, h.variant, h.players, m.Variant, m.Players)
	}
	// The server must know the plies that a client received before this session began.
	known := sort.Search(len(h.moves), func(i int) bool { return h.moves[i].line >= l.opened })
	before := l.views[m.Match]
	if before != nil {
		known = max(known, before.plies)
	}
	if len(m.Moves) < known && !b.shared {
		b.fault(Lost, "%s: %s receives %d plies, %d were known", m.Match, l.who, len(m.Moves), known)
		h.moves = h.moves[:len(m.Moves)]
	}
	for i, text := range m.Moves {
		b.merge(h, m.Match, i, text)
	}
	if m.Seat != 0 && !m.Over && h.begun < l.opened && !b.shared && !slices.Contains(l.listed, m.Match) {
		b.fault(Unlisted, "%s was welcomed without %s", l.who, m.Match)
	}
	if m.Seat > rules.Second || m.Seat.IsValid() && h.players[m.Seat-1].ID != l.id {
		b.fault(Garbled, "%s: %s, %s, receives seat %d of %v", m.Match, l.who, l.id, m.Seat, h.players)
	}
	now := &view{plies: len(m.Moves), isSeated: m.Seat.IsValid()}
	if before != nil {
		now.isSeated = now.isSeated || before.isSeated
		now.ended = before.ended && !m.Over // after a match event with Over, the end event may come a second time
	}
	l.views[m.Match] = now
}

// begin returns the history of a match that no client has received before.
func (l *Link) begin(m botproto.Match) *history {
	b := l.book
	h := &history{
		begun: b.line, variant: m.Variant, players: m.Players, turned: b.at, asked: map[request]int{},
		left: map[string]time.Duration{},
	}
	b.matches[m.Match] = h
	b.Figures.Matches++
	if m.Pair == nil {
		return h
	}
	h.game = m.Pair.Game
	for _, player := range h.players {
		who, isClient := b.names[player.ID]
		if h.game != 1 || !isClient {
			continue
		}
		if b.unused[who]--; b.unused[who] < 0 {
			b.fault(Doubled, "%s: %s has not sought another opponent", m.Match, who)
		}
	}
	return h
}

// merge compares a received move with the history, or adds it. If two differ, the newer one replaces the older one and
// those that follow, because these would otherwise be faults too.
func (b *Book) merge(h *history, id match.ID, i int, text string) {
	switch {
	case i > len(h.moves):
		b.fault(Disorder, "%s: ply %d is received when only %d are known", id, i+1, len(h.moves))
		return
	case i < len(h.moves) && h.moves[i].text == text:
		return
	case i < len(h.moves):
		b.fault(Split, "%s: ply %d was %s in line %d, now it is %s", id, i+1, h.moves[i].text, h.moves[i].line, text)
	}
	h.moves, h.turned = append(h.moves[:i], ply{text, b.line}), b.at
	b.Figures.Moves++
}

// lookUp returns the history and the session's view of a match, or adds a fault if the session has not received it.
func (l *Link) lookUp(id match.ID, event botproto.Event) (*history, *view) {
	h, v := l.book.matches[id], l.views[id]
	if v == nil {
		l.book.fault(Disorder, "%s: %s receives %s before the match", id, l.who, event.Name())
	}
	return h, v
}

// handleMove checks that a move event has the next ply of its session.
func (l *Link) handleMove(m botproto.Move) {
	b := l.book
	h, v := l.lookUp(m.Match, m)
	if v == nil {
		return
	}
	if m.Ply != v.plies+1 || v.ended {
		b.fault(Disorder, "%s: %s receives ply %d after %d, ended: %t", m.Match, l.who, m.Ply, v.plies, v.ended)
	}
	if m.Seat.IsValid() && h.players[m.Seat-1].ID == l.id {
		b.checkPause(l.where)
		// The move can be an earlier one of unknown fate. Then the request is still to be answered.
		if l.request.Do == botproto.DoMove && l.request.Match == m.Match && l.request.Move == m.Move {
			l.request = botproto.Request{}
		}
	}
	b.checkCharge(h, m)
	v.plies = m.Ply
	b.merge(h, m.Match, m.Ply-1, m.Move)
}

// handleEnd checks that an end event agrees with earlier ones, and the first one with what the clients did.
func (l *Link) handleEnd(e botproto.End) {
	b := l.book
	h, v := l.lookUp(e.Match, e)
	if v == nil {
		return
	}
	if v.ended || v.plies != len(h.moves) {
		b.fault(Disorder, "%s: %s receives the end after ply %d of %d, ended: %t", e.Match, l.who, v.plies,
			len(h.moves), v.ended)
	}
	v.ended = true
	if h.end != nil {
		if h.end.Winner != e.Winner || h.end.Reason != e.Reason {
			b.fault(Split, "%s: won by %d (%s), now by %d (%s)", e.Match, h.end.Winner, h.end.Reason, e.Winner,
				e.Reason)
		}
		return
	}
	h.end = &e
	b.Figures.Ends[e.Reason]++
	loser := ""
	if e.Winner.IsValid() {
		loser = b.names[h.players[2-e.Winner].ID]
	}
	isLosersTurn := e.Winner == rules.Side(2-len(h.moves)%2)
	waited := b.recordable(h.turned)
	switch e.Reason {
	case rules.ReasonResign.String():
		if h.asked[request{loser, ""}] <= 0 {
			b.fault(Unrequested, "%s: %s has not resigned", e.Match, loser)
		}
	case rules.ReasonTime.String(): // in the matches of the clients only rated ones have a limit
		if h.game == 0 || !isLosersTurn || waited < firstMove {
			b.fault(TooSoon, "%s: %d won by time, %v after the last move", e.Match, e.Winner, waited)
		}
	case rules.ReasonAbandoned.String():
		// If a player does not make the first move in time, the first game of a pair is void. The second time within a
		// day the player loses. Neither player need be away for that.
		isMissing := e.Winner == rules.NoSide || h.game == 1 && len(h.moves) < len(h.players) && isLosersTurn
		if away := b.absence(loser, e.Match); away < b.grace && (!isMissing || waited < firstMove) {
			b.fault(TooSoon, "%s: %s was away for %v", e.Match, loser, away)
		}
	}
}

// absence returns the time for which a client has had no session with its seat in the match, 0 for the empty name.
func (b *Book) absence(who string, id match.ID) time.Duration {
	for l := range b.open {
		if v := l.views[id]; l.who == who && v != nil && v.isSeated {
			return 0
		}
	}
	if who == "" {
		return 0
	}
	return b.at - b.matches[id].left[who]
}
