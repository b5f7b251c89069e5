package wording_test

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/wording"
)

// seated returns a match that was opened as in an event, of two players, after events.
func seated(t *testing.T, opened match.Event, first, second string, events ...match.Event) *match.State {
	t.Helper()
	opened.Kind = match.Opened
	seat := func(side rules.Side, name string) match.Event {
		return match.Event{Match: opened.Match, Kind: match.Seated, Seat: side,
			Player: match.Player{ID: match.PlayerID("id-" + name), Name: name}}
	}
	all := []match.Event{opened, seat(rules.First, first), seat(rules.Second, second)}
	for _, e := range events {
		e.Match = opened.Match
		all = append(all, e)
	}
	state := journaltest.Fold(t, all...)
	return &state
}

// requested returns a match of ann and bob on one board after events.
func requested(t *testing.T, events ...match.Event) *match.State {
	t.Helper()
	one, err := rules.Notakto(1)
	testkit.OK(t, err)
	return seated(t, match.Event{Terms: match.Terms{Variant: one}}, "ann", "bob", events...)
}

func TestRequestsInWords(t *testing.T) {
	name := func(side rules.Side) string { return [...]string{"", "ann", "bob"}[side] }
	move := func(side rules.Side, cell rules.Cell) match.Event {
		return match.Event{Kind: match.Moved, Seat: side, Move: rules.Move{Cell: cell}}
	}
	ask := func(kind match.Kind, side rules.Side) match.Event { return match.Event{Kind: kind, Seat: side} }
	moves := []match.Event{move(1, 5), move(2, 1), move(1, 6)}
	own := requested(t, append(moves, ask(match.TakebackOffered, 1))...)
	older := requested(t, append(moves, ask(match.TakebackOffered, 2))...)
	empty := &match.State{Request: match.Request{Kind: match.TakebackOffered, Side: 1}}
	hints := requested(t, ask(match.HintsOffered, 1))
	back := requested(t, append(moves, ask(match.TakebackOffered, 2), ask(match.TakebackOffered, 1), move(2, 2))...)
	twice := requested(t, append(moves, ask(match.TakebackOffered, 1), ask(match.TakebackOffered, 2), move(1, 7),
		ask(match.TakebackOffered, 1), ask(match.TakebackOffered, 2))...)
	hinted := requested(t, ask(match.HintsOffered, 1), ask(match.HintsOffered, 2), move(1, 5), ask(match.Resigned, 2))
	for got, want := range map[string]string{
		wording.Asked(own):                                      "to take back A6",
		wording.Asked(older):                                    "to take back A1",
		wording.Asked(empty):                                    "to take back a move",
		wording.Asked(hints):                                    "for hints, for both of you",
		wording.TookBackBefore(back, 2, name):                   "bob took back A1, and the answer A6.",
		wording.TookBackBefore(back, 1, name):                   "",
		wording.TookBackBefore(twice, 3, name):                  "ann took back A7. The last of 2 takebacks here.",
		wording.HintsUsed(hinted):                               "Played with hints.",
		wording.TookBack(back.Variant, match.Takeback{}, "ann"): "ann took back a move.",
		wording.ShareLine(hinted, 1, nil, history.RatedPair{}, wording.NoHost, true): "Notakto/1 beat bob in 1 move, " +
			"with hints  match aaaaaaaaaa",
	} {
		testkit.Equal(t, got, want)
	}
}
