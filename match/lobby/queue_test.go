package lobby

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// One address filled the queue with any number of players, and each new player met one of them.
func TestThreeTicketsInTheQueueAnAddress(t *testing.T) {
	var queue []ticket
	for i := range 20 {
		p := ticket{Player: match.Player{ID: match.PlayerID(fmt.Sprint(i))}, Ticket: uint64(i)}
		switch {
		case i < 6:
			p.From = []string{"one", "its /56"}
		case i < 18:
			p.From = []string{fmt.Sprint("other ", i), "its /56"}
		}
		queue = append(queue, p)
	}
	var got []uint64
	for _, p := range firstOfAddresses(queue) {
		got = append(got, p.Ticket)
	}
	if want := "[0 1 2 6 7 8 9 10 11 12 13 14 18 19]"; fmt.Sprint(got) != want {
		t.Errorf("in the queue are %v, want %s", got, want)
	}
}

func terms(t *testing.T, boards ...int) (all []match.Terms) {
	t.Helper()
	for _, n := range boards {
		v, err := rules.Notakto(n)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, match.Terms{Variant: v})
	}
	return all
}

func TestAgree(t *testing.T) {
	for _, test := range []struct {
		first, second []int
		want          int // 0 if they do not agree
	}{
		{[]int{3}, []int{3}, 3},
		{[]int{3}, []int{5}, 0},
		{[]int{3, 4, 2, 5, 1}, []int{5}, 5},
		{[]int{3, 4, 2, 5, 1}, []int{3, 4, 2, 5, 1}, 3},
		{[]int{1, 2}, []int{2, 1}, 1}, // both are as good: the first player's preference
		{[]int{2, 1}, []int{1, 2}, 2},
		{[]int{1, 2, 3}, []int{4, 2, 1}, 1},
		{[]int{1, 2, 3}, []int{3, 2, 1}, 1},
	} {
		agreed, found := agree(terms(t, test.first...), terms(t, test.second...))
		if found != (test.want != 0) || found && agreed.Variant.Boards() != test.want {
			t.Errorf("%v and %v agree on %v, %t, want %d", test.first, test.second, agreed.Variant, found, test.want)
		}
	}
}

// The pairs of 5,000 players, as many as a server has sessions, are found at each change of the queue.
func BenchmarkNextPairs(b *testing.B) {
	var queue []ticket
	for i := range 5000 {
		v, _ := rules.Notakto(i%rules.MaxBoards + 1)
		queue = append(queue, ticket{
			Player: match.Player{ID: match.PlayerID(fmt.Sprint(i))}, Ticket: uint64(i), Accepts: []match.Terms{{Variant: v}},
		})
	}
	m := newMeetings()
	for b.Loop() {
		m.nextPairs(queue, time.Time{})
	}
}

// Each change of a queue copied the whole queue once for each player in it, so the lobby fell seconds behind the
// registry when 500 programs played, and told players who sought their next opponent that they were waiting already.
func TestALongQueueIsCopiedOnce(t *testing.T) {
	l := New(t.Context(), Config{Node: "here", Store: match.NewMemory(), Opener: opener{}})
	l.draining = true // nothing is paired
	const players = 500
	for i := range players {
		p := match.Player{ID: match.PlayerID(fmt.Sprint(i))}
		s := &Seek{lobby: l, player: p, box: match.NewMailbox[SeekStatus](), state: seekWaiting}
		l.seeks[p.ID] = s
		l.queue.tickets[keyOf(p.ID)] = ticket{
			Player: p, Node: "here", Ticket: uint64(i), entry: match.Entry{At: time.Now()}, Accepts: terms(t, i%5+1),
		}
	}
	l.update()
	if got := l.seeks["0"].status; got.Waiting != players || len(got.Others) != MaxWaiters {
		t.Fatalf("%d wait, %d of them for other boards; want %d and %d", got.Waiting, len(got.Others), players, MaxWaiters)
	}
	if copies := testing.AllocsPerRun(10, l.update); copies >= 2*players {
		t.Errorf("one change of a queue of %d makes %.0f values", players, copies)
	}
}

// Five changes of the registry make a match, and each had the whole queue looked at again, though some change nothing
// in it: with 500 programs that took a third of the server's time.
func TestOnlyAChangeOfTheQueueHasItLookedAt(t *testing.T) {
	l := New(t.Context(), Config{Node: "here", Store: match.NewMemory()})
	waits := ticket{
		Player: match.Player{ID: "ann"}, Node: "here", entry: match.Entry{At: time.Now()}, Accepts: terms(t, 3),
	}
	paired, expired := waits, waits
	paired.Match, paired.Other = "m", "bob"
	expired.entry.At = time.Now().Add(-2 * match.EntryTTL)
	for _, test := range []struct {
		name      string
		before, p ticket
		want      bool
	}{
		{"a player comes", ticket{}, waits, true},
		{"a player leaves", waits, ticket{}, true},
		{"a ticket is renewed", waits, waits, false},
		{"a ticket is renewed that had expired", expired, waits, true},
		{"a player is paired", waits, paired, true},
		{"a paired ticket is deleted", paired, ticket{}, false},
		{"a paired player comes again", paired, waits, true},
	} {
		if got := l.queue.isChangedBy(test.before, test.p); got != test.want {
			t.Errorf("%s: the queue is looked at: %t", test.name, got)
		}
	}
}

// Of two tickets that are paired the registry delivers one first. The other one was then paired with a third, which
// failed and took a second.
func TestBothTicketsOfAPairingWaitNoMore(t *testing.T) {
	l := New(t.Context(), Config{Node: "here", Store: match.NewMemory()})
	put := func(id match.PlayerID, in match.ID, other match.PlayerID, revision uint64) {
		p := ticket{
			Player: match.Player{ID: id}, Node: "there", Accepts: terms(t, 3), Match: in, Other: other,
			Ticket: revision, entry: match.Entry{At: time.Now(), Revision: revision},
		}
		l.queue.replace(keyOf(p.Player.ID), p)
	}
	for i, step := range []struct {
		do   func()
		want []match.PlayerID // who wait
	}{
		{func() { put("ann", "", "", 1); put("bob", "", "", 2) }, []match.PlayerID{"ann", "bob"}},
		{func() { put("cleo", "", "", 3) }, []match.PlayerID{"ann", "bob", "cleo"}},
		{func() { put("ann", "m", "bob", 4) }, []match.PlayerID{"cleo"}},
		{func() { put("bob", "m", "ann", 5) }, []match.PlayerID{"cleo"}},
		{func() { put("bob", "", "", 6) }, []match.PlayerID{"cleo", "bob"}}, // seeks again
	} {
		step.do()
		l.queue.sort()
		var got []match.PlayerID
		for _, p := range l.queue.waiting {
			got = append(got, p.Player.ID)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("step %d: %v wait, want %v", i, got, step.want)
		}
	}
}
