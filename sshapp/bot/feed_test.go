package bot

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// begun returns the events of a match of ann and bob after moves.
func begun(t *testing.T, v rules.Variant, moves string) []match.Event {
	t.Helper()
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: v}},
		{Kind: match.Seated, Seat: rules.First, Player: ann()}, {Kind: match.Seated, Seat: rules.Second, Player: bob()},
	}
	for i, text := range strings.Fields(moves) {
		m, err := v.ParseMove(text)
		testkit.OK(t, err)
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Side(i%2 + 1), Move: m})
	}
	return events
}

// received returns the lines for snapshots after the given numbers of events.
func received(t *testing.T, events []match.Event, seat rules.Side, snapshots ...int) (lines []string) {
	t.Helper()
	var before *match.Snapshot
	for _, n := range snapshots {
		state := journaltest.Fold(t, events[:n]...)
		after := &match.Snapshot{State: &state}
		for _, e := range eventsSince(before, after, seat, time.Time{}) {
			text, err := botproto.Encode(e)
			testkit.OK(t, err)
			lines = append(lines, strings.TrimSuffix(string(text), "\n"))
		}
		before = after
	}
	return lines
}

// A slow reader misses any number of snapshots and still receives every move once and in order, and the end.
func TestMissedSnapshotsChangeNothing(t *testing.T) {
	for _, test := range []struct {
		variant rules.Variant
		moves   string
		resigns bool
	}{
		{rules.DefaultVariant(), "A5 B5 A1 C5 A9 B1 B9 C1 C9", false},
		{rules.DefaultVariant(), "A5 B5 A1 C5", true},
		{rules.TicTacToe(), "5 1 3 7 4 6 2 8 9", false},
		{rules.TicTacToe(), "5 1 6 2 4", false},
	} {
		events := begun(t, test.variant, test.moves)
		if test.resigns {
			events = append(events, match.Event{Kind: match.Resigned, Seat: rules.First})
		}
		var all []int
		for n := 3; n <= len(events); n++ {
			all = append(all, n)
		}
		want := received(t, events, rules.Second, all...)
		if got := len(strings.Fields(test.moves)) + 2; len(want) != got || !strings.Contains(want[got-1], `"end"`) {
			t.Fatalf("told %d events, want %d: %s", len(want), got, want)
		}
		for missed := uint(0); missed < 1<<(len(all)-2); missed++ {
			some := []int{3}
			for i, n := range all[1:] {
				if missed>>i&1 == 0 || n == len(events) {
					some = append(some, n)
				}
			}
			if got := received(t, events, rules.Second, some...); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Fatalf("with the snapshots %v told\n%s\nwant\n%s", some, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
		}
	}
}

// Of several moves at once only the last has clocks, of two moves both have.
func TestClocksOfSeveralMoves(t *testing.T) {
	events := begun(t, rules.DefaultVariant(), "A5 B5 A1 B1 A2")
	testkit.OK(t, events[0].Clock.UnmarshalText([]byte("1+0")))
	for i := range events[3:] {
		events[3+i].Spent = time.Duration(3+i) * time.Second
	}
	lines := received(t, events, rules.First, 3, 6, 8)
	for i, want := range []string{
		`"clocks":[60000,60000]`, "", "", `"clocks":[55000,60000]`, `"clocks":[55000,54000]`, `"clocks":[48000,54000]`,
	} {
		if want == "" && strings.Contains(lines[i], "clocks") || !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %s, want %q", i, lines[i], want)
		}
	}
}
