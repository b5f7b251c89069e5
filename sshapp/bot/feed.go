package bot

import (
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/wire"
)

// eventsSince returns the events of a match since before, the last snapshot whose events were sent, or nil. The first
// event after the start is the whole match. seat is the bot's side, rules.Nobody for a spectator.
func eventsSince(before, s *match.Snapshot, seat rules.Side, now time.Time) []botproto.Event {
	if before == nil || !before.Started() {
		var events []botproto.Event
		if s.Started() {
			events = wholeMatch(s, seat, now)
		}
		if s.Over() && (before == nil || !before.Over()) {
			events = append(events, endEvent(s))
		}
		return events
	}
	changes := client.Changes(before, s, seat)
	events := make([]botproto.Event, 0, len(changes))
	for _, c := range changes {
		switch c.Kind {
		case client.Came, client.Went:
			events = append(events, botproto.Presence{Match: s.ID, Seat: c.Side, Present: c.Kind == client.Came})
		case client.Moved:
			events = append(events, moveEvent(before, s, c))
		case client.Finished:
			events = append(events, endEvent(s))
		}
	}
	return events
}

// wholeMatch returns the match event, and the presence of the players who are away.
func wholeMatch(s *match.Snapshot, seat rules.Side, now time.Time) []botproto.Event {
	event := botproto.Match{
		Match: s.ID, Variant: s.Variant.String(), Seat: seat,
		Players: wire.NewPlayers(s.State), Moves: make([]string, len(s.Moves)), Turn: s.Turn(),
		Position: s.Position.String(), Over: s.Over(), Code: s.SeatState(seat).Code,
		Clock: clockName(s.Clock), Clocks: wire.ClocksAt(s, now),
	}
	if event.Rated = s.Pool.IsRated(); event.Rated {
		event.Pair = &botproto.Pair{ID: s.PairID(), Game: s.Game()}
		event.Opening = &wire.Opening{Hash: s.OpeningHash(), Seed: s.OpeningSeed()}
	}
	for i, m := range s.Moves {
		event.Moves[i] = s.Variant.FormatMove(m)
	}
	events := []botproto.Event{event}
	for _, side := range rules.Sides() {
		if at := s.SeatState(side); at.Taken && !at.Present && side != seat && s.Next == "" {
			events = append(events, botproto.Presence{Match: s.ID, Seat: side})
		}
	}
	return events
}

// moveEvent returns the event of a move that was made between two snapshots.
func moveEvent(before, s *match.Snapshot, c client.Change) botproto.Move {
	event := botproto.Move{
		Match: s.ID, Ply: c.Ply, Seat: c.Side, Move: s.Variant.FormatMove(c.Move), Turn: c.Position.Turn(),
	}
	if c.Died() {
		event.Died = new(rules.BoardName(int(c.Move.Board)))
	}
	if c.Position.Outcome().Over() {
		event.Turn = rules.Nobody
	}
	switch at := wire.ClocksAt(s, s.TurnSince); {
	case at == nil || c.Ply < len(s.Moves)-1:
	case c.Ply == len(s.Moves):
		event.Clocks = at
	case c.Ply == len(before.Moves)+1: // the opponent has answered, which has changed only the opponent's clock
		other := c.Side.Other() - 1
		at[other] = wire.ClocksAt(before, before.TurnSince)[other]
		event.Clocks = at
	}
	return event
}

// endEvent returns the end event. A table that was closed before a second player came was abandoned.
func endEvent(s *match.Snapshot) botproto.End {
	reason := s.Outcome.Reason
	if s.Closed {
		reason = rules.Abandoned
	}
	event := botproto.End{Match: s.ID, Winner: s.Outcome.Winner, Reason: reason.String()}
	if s.IsPairOver() {
		event.PairResult = new(s.PairPoints(rules.First))
	}
	return event
}

// clockName returns the name of a clock, or "" for no clock.
func clockName(c match.Clock) string {
	if c.IsNone() {
		return ""
	}
	return c.String()
}
