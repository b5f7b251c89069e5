package bot

import (
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/wire"
)

// eventsSince returns the events between two snapshots of a match. before is the last snapshot that was sent, or nil.
// If before is nil or has not started, and s has started, the first event is the whole match. A spectator has the
// seat 0.
func eventsSince(before, s *match.Snapshot, seat rules.Side, now time.Time) []botproto.Event {
	if before == nil || !before.HasStarted() {
		var events []botproto.Event
		if s.HasStarted() {
			events = wholeMatch(s, seat, now)
		}
		if s.IsOver() && (before == nil || !before.IsOver()) {
			events = append(events, endEvent(s))
		}
		return events
	}
	changes := client.Changes(before, s, seat)
	events := make([]botproto.Event, 0, len(changes))
	for _, c := range changes {
		switch c.Kind {
		case client.PlayerReturned, client.PlayerLeft:
			events = append(events, botproto.Presence{Match: s.ID, Seat: c.Side, Present: c.Kind == client.PlayerReturned})
		case client.PlayerMoved:
			events = append(events, moveEvent(before, s, c))
		case client.PlayerTookBack:
			events = append(events, takebackEvent(s, c))
		case client.RequestMade:
			events = append(events, botproto.Asked{Match: s.ID, Seat: c.Side, What: requestVerb(c.Request)})
		case client.RequestDeclined:
			events = append(events, botproto.Asked{
				Match: s.ID, Seat: c.Side, What: requestVerb(c.Request), Answer: "declined",
			})
		case client.HintsAllowed:
			events = append(events, botproto.Asked{
				Match: s.ID, Seat: c.Side, What: botproto.DoHint, Answer: "agreed",
			})
		case client.MatchFinished:
			events = append(events, endEvent(s))
		}
	}
	return events
}

// wholeMatch returns the match event, the absence of other players, and an open request.
func wholeMatch(s *match.Snapshot, seat rules.Side, now time.Time) []botproto.Event {
	event := botproto.Match{
		Match: s.ID, Variant: s.Variant.String(), Seat: seat,
		Players: wire.NewPlayers(s.State), Moves: make([]string, len(s.Moves)), Turn: s.Turn(),
		Position: s.Position.String(), Over: s.IsOver(), Code: s.Seat(seat).Code,
		Clock: clockName(s.Clock), Clocks: wire.ClocksAt(s, now), Hinted: s.Hinted,
	}
	if event.Rated = s.Pool.IsRated(); event.Rated {
		event.Pair = &botproto.Pair{ID: s.PairID(), Game: s.Game(), Other: s.OtherGame()}
		event.Opening = &wire.Opening{Hash: s.OpeningHash(), Seed: s.OpeningSeed()}
	}
	for i, m := range s.Moves {
		event.Moves[i] = s.Variant.FormatMove(m)
	}
	events := []botproto.Event{event}
	for _, side := range rules.Sides() {
		if at := s.Seat(side); at.Taken && !at.Present && side != seat && s.Next == "" {
			events = append(events, botproto.Presence{Match: s.ID, Seat: side})
		}
	}
	if s.Request.Kind != 0 {
		events = append(events, botproto.Asked{Match: s.ID, Seat: s.Request.Side, What: requestVerb(s.Request.Kind)})
	}
	return events
}

func requestVerb(kind match.Kind) botproto.Verb {
	if kind == match.HintsOffered {
		return botproto.DoHint
	}
	return botproto.DoTakeback
}

// takebackEvent describes the match right after a takeback. The clocks are left out if a move has followed.
func takebackEvent(s *match.Snapshot, c client.Change) botproto.Takeback {
	position := s.PositionAfter(c.Takeback.Plies)
	event := botproto.Takeback{
		Match: s.ID, Seat: c.Side, Ply: c.Takeback.Plies, Turn: position.Turn(), Position: position.String(),
	}
	if c.Takeback.Plies == len(s.Moves) {
		event.Clocks = wire.ClocksAt(s, s.TurnSince)
	}
	return event
}

func moveEvent(before, s *match.Snapshot, c client.Change) botproto.Move {
	event := botproto.Move{
		Match: s.ID, Ply: c.Ply, Seat: c.Side, Move: s.Variant.FormatMove(c.Move), Turn: c.Position.Turn(),
	}
	if c.KilledBoard() {
		event.Died = new(rules.BoardName(int(c.Move.Board)))
	}
	if c.Position.Outcome().IsOver() {
		event.Turn = rules.NoSide
	}
	switch at := wire.ClocksAt(s, s.TurnSince); {
	case at == nil || c.Ply < len(s.Moves)-1:
	case c.Ply == len(s.Moves):
		event.Clocks = at
	// The opponent has answered. Only the opponent's clock has changed since this move.
	case c.Ply == len(before.Moves)+1 && len(s.Takebacks) == len(before.Takebacks):
		other := c.Side.Other() - 1
		at[other] = wire.ClocksAt(before, before.TurnSince)[other]
		event.Clocks = at
	}
	return event
}

// endEvent returns the end event. A table that closed without an opponent counts as abandoned.
func endEvent(s *match.Snapshot) botproto.End {
	reason := s.Outcome.Reason
	if s.Closed {
		reason = rules.ReasonAbandoned
	}
	event := botproto.End{Match: s.ID, Winner: s.Outcome.Winner, Reason: reason.String()}
	if s.IsPairOver() {
		event.PairResult = new(s.PairPoints(rules.First))
	}
	return event
}

func clockName(c match.Clock) string {
	if c.IsNone() {
		return ""
	}
	return c.String()
}
