package journaltest

import (
	"cmp"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Events returns events of every kind with every field that they use. No single match could have them all.
func Events(id match.ID) []match.Event {
	ann := match.Player{ID: "n4bqgyhmfwwal2qg", Name: "Ann-Sofie Öst"}
	guest := match.Player{ID: "guest:2f7k", Name: "guest", Guest: true}
	second := match.FirstGame(QuickSeed)
	second.First, second.OtherWinner = "aaaaabbbbb", rules.Second
	blitz, slowest := match.DefaultTerms(), match.DefaultTerms()
	blitz.Clock, _ = match.Fischer(match.MaxClockMinutes, match.MaxClockIncrement)
	slowest.Clock, _ = match.Correspondence(match.MaxClockDays)
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: rules.TicTacToe()}, Code: "K7QX"},
		{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.QueueOrigin},
		{Kind: match.Seated, Seat: rules.First, Player: ann, Node: "n4k2"},
		{Kind: match.Seated, Seat: rules.Second, Player: guest, Code: "AB2C", Node: "n4k2"},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Computer(strategy.Levels()[0])},
		{Kind: match.Moved, Seat: rules.First, Move: rules.Move{Board: 0, Cell: 5}},
		{Kind: match.Moved, Seat: rules.Second, Move: rules.Move{Board: rules.MaxBoards - 1, Cell: 9}},
		{Kind: match.Resigned, Seat: rules.First},
		{Kind: match.Left, Seat: rules.Second},
		{Kind: match.Returned, Seat: rules.Second, Node: "m3"},
		{Kind: match.NoShow, Seat: rules.First},
		{Kind: match.Forfeited, Seat: rules.First},
		{Kind: match.Offered, Seat: rules.Second},
		{Kind: match.Rematched, Next: "aaaaabbbbb"},
		{Kind: match.Cancelled},
		{Kind: match.Overdue, Seat: rules.First},
		{Kind: match.Revealed, Seat: rules.Second},
		{Kind: match.Expired, Seat: rules.First},
		{Kind: match.Adjudicated, Seat: rules.Second},
		{Kind: match.Adjudicated},
		{Kind: match.Withdrawn, Seat: rules.Second},
		{Kind: match.TakebackOffered, Seat: rules.First, Spent: 1500 * time.Millisecond},
		{Kind: match.HintsOffered, Seat: rules.Second},
		{Kind: match.Declined, Seat: rules.First},
		{Kind: match.Opened, Terms: blitz, Origin: match.LastOrigin, Code: "K7QX"},
		{Kind: match.Opened, Terms: slowest},
		{Kind: match.Opened, Terms: slowest, Origin: match.ChallengeOrigin, Player: ann},
		{Kind: match.Cancelled, Seat: rules.Second},
		{Kind: match.Moved, Seat: rules.Second, Move: rules.Move{Board: rules.MaxBoards - 1, Cell: 9},
			Spent: time.Millisecond},
		{Kind: match.Opened, Terms: match.RatedTerms(match.PeoplePool), Origin: match.QueueOrigin,
			Pair: match.FirstGame(QuickSeed)},
		{Kind: match.Opened, Terms: match.RatedTerms(match.LastPool), Origin: match.QueueOrigin, Pair: second},
		{Kind: match.Resigned, Seat: rules.First, Pair: match.PairGame{OtherWinner: rules.Second}},
		{Kind: match.Resigned, Seat: rules.First, Pair: match.PairGame{OtherVoid: true}},
		{Kind: match.Overdue, Seat: rules.First, Pair: match.PairGame{OtherWinner: rules.First, OtherMoved: true}},
		{Kind: match.Overdue, Seat: rules.First, Pair: match.PairGame{OtherMoved: true}},
		{Kind: match.Overdue, Seat: rules.First, Pair: match.PairGame{MissedBefore: true}},
		{Kind: match.Seated, Seat: rules.Second, Player: ann, Pair: match.PairGame{SameNetwork: true}},
		{Kind: match.Overdue, Seat: rules.Second, Spent: 1 << 62 / time.Millisecond * time.Millisecond},
	}
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	return events
}

// Played returns the events of a typical match.
func Played(id match.ID) []match.Event {
	events := Events(id)[1:4]
	for ply := range 12 {
		events = append(events, match.Event{
			Match: id, Kind: match.Moved, Seat: rules.Side(1 + ply%2), Move: rules.Move{
				Board: uint8(ply % 3), Cell: rules.Cell(1 + ply%9),
			},
		})
	}
	for i := range events {
		events[i].Seq = uint64(i + 1)
		events[i].At = time.UnixMilli(1_700_000_000_000 + int64(i)*3_137)
	}
	return events
}

// Fold returns the state of a match after events. Fold numbers the events, and gives an ID to events without a match
// ID.
func Fold(t testing.TB, events ...match.Event) (s match.State) {
	t.Helper()
	for i, e := range events {
		e.Match, e.Seq = cmp.Or(e.Match, "aaaaaaaaaa"), uint64(i+1)
		next, err := s.Apply(e)
		if err != nil {
			t.Fatalf("event %d: %v", i+1, err)
		}
		s = next
	}
	return s
}
