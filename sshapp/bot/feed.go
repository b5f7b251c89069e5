package bot

import (
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// matchFeed turns the snapshots of one match into bot events. It remembers what was sent, and knows nothing of tables.
type matchFeed struct {
	seat     rules.Side       // the bot's; rules.Nobody for a spectator
	begun    bool             // the match event has been sent
	clocks   *botproto.Clocks // at the last move sent; nil without a clock
	position rules.Position
	plies    int
	present  [2]bool
	ended    bool
}

// diff returns the events since the last snapshot: players who came back, moves, players who left, the end. The first
// one after the start is the match event.
func (f *matchFeed) diff(s *match.Snapshot, now time.Time) []botproto.Event {
	switch {
	case !f.begun && s.Started():
		return f.full(s, now)
	case !f.begun:
		return f.end(nil, s)
	}
	events := f.presence(nil, s, true)
	events = f.moves(events, s)
	events = f.presence(events, s, false)
	return f.end(events, s)
}

// full is the match event as s has it, with the players who are away, and with the end if that was not sent yet.
func (f *matchFeed) full(s *match.Snapshot, now time.Time) []botproto.Event {
	f.clocks = clocksAtTurn(s)
	f.begun, f.position, f.plies, f.present = s.Started(), s.Position, len(s.Moves), [2]bool{true, true}
	event := botproto.Match{
		Match: s.ID, Variant: s.Variant.String(), Seat: f.seat,
		Players: [2]botproto.Player{
			describe(s.SeatState(rules.First).Player), describe(s.SeatState(rules.Second).Player),
		},
		Moves: make([]string, len(s.Moves)), Turn: s.Turn(), Position: s.Position.String(),
		Over: s.Over(), Code: s.SeatState(f.seat).Code,
		Clock: clockName(s.Clock), Clocks: clocksAt(s, now),
	}
	if event.Rated = s.Pool.IsRated(); event.Rated {
		event.Pair = &botproto.Pair{ID: s.PairID(), Game: s.Game()}
		event.Opening = &botproto.Opening{Hash: s.OpeningHash(), Seed: s.OpeningSeed()}
	}
	for i, m := range s.Moves {
		event.Moves[i] = s.Variant.FormatMove(m)
	}
	return f.end(f.presence([]botproto.Event{event}, s, false), s)
}

// moves adds the moves that were not sent yet.
func (f *matchFeed) moves(events []botproto.Event, s *match.Snapshot) []botproto.Event {
	for i, m := range s.Moves[f.plies:] {
		seat := f.position.Turn()
		next, err := f.position.Play(m)
		if err != nil {
			panic(err) // the fold has checked every move of a snapshot
		}
		f.position, f.plies = next, f.plies+1
		event := botproto.Move{
			Match: s.ID, Ply: f.plies, Seat: seat, Move: s.Variant.FormatMove(m),
			Died: died(next, m), Turn: next.Turn(),
		}
		if next.Outcome().Over() {
			event.Turn = rules.Nobody
		}
		switch behind := len(s.Moves) - f.plies; {
		case s.Clock.IsNone():
		case behind == 0:
			event.Clocks = clocksAtTurn(s)
		case behind == 1 && i == 0 && f.clocks != nil: // the opponent has answered: only that has changed the other clock
			event.Clocks = clocksAtTurn(s)
			event.Clocks[seat.Other()-1] = f.clocks[seat.Other()-1]
		}
		events = append(events, event)
	}
	f.clocks = clocksAtTurn(s)
	return events
}

// clockName is the name of a clock; empty for none.
func clockName(c match.Clock) string {
	if c.IsNone() {
		return ""
	}
	return c.String()
}

// clocksAtTurn is what both clocks had at the beginning of the turn; nil without a clock.
func clocksAtTurn(s *match.Snapshot) *botproto.Clocks { return clocksAt(s, s.TurnSince) }

// clocksAt is what both clocks have at a time; nil without a clock.
func clocksAt(s *match.Snapshot, now time.Time) *botproto.Clocks {
	if s.Clock.IsNone() {
		return nil
	}
	return &botproto.Clocks{s.ClockLeft(rules.First, now).Milliseconds(), s.ClockLeft(rules.Second, now).Milliseconds()}
}

// died is the board that a move has killed, if it has.
func died(after rules.Position, m rules.Move) *string {
	if !after.Dead(int(m.Board)) {
		return nil
	}
	name := rules.BoardName(int(m.Board))
	return &name
}

// presence adds which players came or went, but not the bot's own player, nor at a table that both have
// left for a rematch.
func (f *matchFeed) presence(events []botproto.Event, s *match.Snapshot, coming bool) []botproto.Event {
	for i, side := range [...]rules.Side{rules.First, rules.Second} {
		seatState := s.SeatState(side)
		if !seatState.Taken || side == f.seat || s.Next != "" || seatState.Present != coming || f.present[i] == coming {
			continue
		}
		f.present[i] = coming
		events = append(events, botproto.Presence{Match: s.ID, Seat: side, Present: coming})
	}
	return events
}

// end adds the end, once. A table that was cleared before anyone came was abandoned.
func (f *matchFeed) end(events []botproto.Event, s *match.Snapshot) []botproto.Event {
	if f.ended || !s.Over() {
		return events
	}
	f.ended = true
	reason := s.Outcome.Reason
	if s.Closed {
		reason = rules.Abandoned
	}
	end := botproto.End{Match: s.ID, Winner: s.Outcome.Winner, Reason: reason.String()}
	if s.IsPairOver() {
		end.PairResult = new(s.PairPoints(rules.First))
	}
	return append(events, end)
}
