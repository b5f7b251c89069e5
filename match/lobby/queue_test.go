package lobby

import (
	"fmt"
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
		p := ticket{Player: match.Player{ID: match.PlayerID(fmt.Sprint(i))},
			Ticket: uint64(i)}.accepting([]match.Terms{{Variant: v}})
		queue = append(queue, p)
	}
	m := newMeetings()
	for b.Loop() {
		m.nextPairs(queue, time.Time{})
	}
}

// Each change of a queue copied the whole queue once for each player in it, so the lobby fell seconds behind the
// registry when 500 programs played, and told players who sought their next opponent that they were waiting already.
func TestALongQueueIsCopiedOnce(t *testing.T) {
	l := New(t.Context(), Config{Node: "here", Journal: match.NewMemory(), Opener: opener{}})
	l.draining = true // nothing is paired
	const players = 500
	for i := range players {
		p := match.Player{ID: match.PlayerID(fmt.Sprint(i))}
		s := &Seek{lobby: l, player: p, box: match.NewMailbox[SeekStatus](), state: seekWaiting}
		l.seeks[p.ID] = s
		l.queue.tickets[keyOf(p.ID)] = ticket{
			Player: p, Node: "here", Ticket: uint64(i), entry: match.Entry{At: time.Now()},
		}.accepting(terms(t, i%5+1))
	}
	l.update()
	if got := l.seeks["0"].status; got.Waiting != players || len(got.Others) != MaxWaiters {
		t.Fatalf("%d wait, %d of them for other boards; want %d and %d", got.Waiting, len(got.Others), players, MaxWaiters)
	}
	if copies := testing.AllocsPerRun(10, l.update); copies >= 2*players {
		t.Errorf("one change of a queue of %d makes %.0f values", players, copies)
	}
}

// Six changes of the registry make a match, and each had the whole queue looked at again, though three change nothing
// in it: with 500 programs that took a third of the server's time.
func TestOnlyAChangeOfTheQueueHasItLookedAt(t *testing.T) {
	l := New(t.Context(), Config{Node: "here", Journal: match.NewMemory()})
	waits := func(id match.PlayerID) ticket {
		return ticket{Player: match.Player{ID: id}, Node: "here", entry: match.Entry{At: time.Now()}}.accepting(terms(t, 3))
	}
	paired := func(id, other match.PlayerID, claims bool) ticket {
		p := waits(id)
		p.promise = promise{Match: "m", Other: match.Player{ID: other}, Claims: claims}
		return p
	}
	expired := waits("ann")
	expired.entry.At = time.Now().Add(-2 * match.EntryTTL)
	for _, test := range []struct {
		name      string
		before, p ticket
		bob       ticket // as it stands
		want      bool
	}{
		{"a player comes", ticket{}, waits("ann"), ticket{}, true},
		{"a player leaves", waits("ann"), ticket{}, ticket{}, true},
		{"a ticket is renewed", waits("ann"), waits("ann"), ticket{}, false},
		{"a ticket is renewed that had expired", expired, waits("ann"), ticket{}, true},
		{"a player is reserved", waits("ann"), paired("ann", "bob", true), waits("bob"), true},
		{"the pairing is final", paired("ann", "bob", true), paired("ann", "bob", false), paired("bob", "ann", false), false},
		{"the pairing failed", paired("ann", "bob", true), waits("ann"), waits("bob"), true},
		{"a paired ticket is deleted", paired("ann", "bob", false), ticket{}, paired("bob", "ann", true), false},
		{"the last of a pair is deleted", paired("ann", "bob", false), ticket{}, ticket{}, false},
		{"it is deleted when the other waits again", paired("ann", "bob", false), ticket{}, waits("bob"), true},
	} {
		l.queue.tickets = map[string]ticket{keyOf("bob"): test.bob}
		if got := l.queue.isChangedBy(test.before, test.p); got != test.want {
			t.Errorf("%s: the queue is looked at: %t", test.name, got)
		}
	}
}
