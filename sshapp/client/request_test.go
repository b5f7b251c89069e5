package client_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

// snapshots returns the snapshots of a match of ann and bob after its events.
func snapshots(t *testing.T, events ...match.Event) (all []*match.Snapshot) {
	t.Helper()
	log := []match.Event{
		{Kind: match.Opened, Terms: match.DefaultTerms()},
		{Kind: match.Seated, Seat: rules.First, Player: ann()}, {Kind: match.Seated, Seat: rules.Second, Player: bob()},
	}
	for _, e := range append([]match.Event{{}}, events...) {
		if e.Kind != 0 {
			log = append(log, e)
		}
		s := journaltest.Fold(t, log...)
		all = append(all, &match.Snapshot{State: &s})
	}
	return all
}

func TestChangesTellTakebacksAndRequests(t *testing.T) {
	move := func(side rules.Side, cell rules.Cell) match.Event {
		return match.Event{Kind: match.Moved, Seat: side, Move: rules.Move{Cell: cell}}
	}
	ask := func(side rules.Side) match.Event { return match.Event{Kind: match.TakebackOffered, Seat: side} }
	hints := func(side rules.Side) match.Event { return match.Event{Kind: match.HintsOffered, Seat: side} }
	all := snapshots(t, move(1, 5), move(2, 1), ask(1), ask(2), move(1, 6), hints(1),
		match.Event{Kind: match.Declined, Seat: rules.Second}, move(2, 2), hints(2), hints(1), ask(1))
	const moved, tookBack = client.PlayerMoved, client.PlayerTookBack
	for _, test := range []struct {
		from, to int
		want     []client.ChangeKind
	}{
		{2, 3, []client.ChangeKind{client.RequestMade}},
		{3, 4, []client.ChangeKind{tookBack}},
		{2, 4, []client.ChangeKind{tookBack}},
		{1, 5, []client.ChangeKind{tookBack, moved}}, // the answer and the request were missed
		{2, 6, []client.ChangeKind{tookBack, moved, client.RequestMade}},
		{6, 7, []client.ChangeKind{client.RequestDeclined}},
		{6, 8, []client.ChangeKind{moved}},
		{9, 10, []client.ChangeKind{client.HintsAllowed}},
		{9, 11, []client.ChangeKind{client.HintsAllowed, client.RequestMade}},
	} {
		var kinds []client.ChangeKind
		for _, c := range client.Changes(all[test.from], all[test.to], rules.First) {
			kinds = append(kinds, c.Kind)
			if c.Kind == moved && c.Move != all[test.to].Moves[c.Ply-1] {
				t.Errorf("ply %d is %v", c.Ply, c.Move)
			}
		}
		if !slices.Equal(kinds, test.want) || !slices.IsSorted(kinds) {
			t.Errorf("from %d to %d: %v, want %v", test.from, test.to, kinds, test.want)
		}
	}
	took := client.Changes(all[2], all[4], rules.First)[0].Takeback
	if took.Plies != 0 || len(took.Moves) != 2 || took.Side != rules.First {
		t.Errorf("taken back: %+v", took)
	}
}

// A match with hints may be won, but the level counts as not beaten.
func TestAWinWithHintsBeatsNoLevel(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s := client.New(m)
		defer s.Close()
		table := sit(t, m, s, strategy.Novice)
		testkit.OK(t, table.Ask(t.Context(), match.HintsOffered))
		for !table.IsOver() {
			snapshot, open := <-table.Snapshots()
			table.Take(snapshot, open)
			if table.IsMyTurn() && table.Hinted {
				synctest.Wait()
				table.Poll()
				review, _, err := table.NextHint()
				testkit.OK(t, err)
				testkit.OK(t, table.Play(t.Context(), review.Move))
			}
		}
		if table.Outcome.Winner != rules.First || s.Score().Won != 1 || s.Beaten() != 0 || table.RungAbove() != 0 {
			t.Errorf("%+v, beaten %d", table.Outcome, s.Beaten())
		}
	})
}
