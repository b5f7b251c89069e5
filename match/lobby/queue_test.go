package lobby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
)

// Without the limit one address could fill the queue, and every new player would meet its players.
func TestThreeTicketsOfAnAddressComeBeforeTheRest(t *testing.T) {
	var queue []ticket
	for i := range 20 {
		p := ticket{Player: match.Player{ID: match.PlayerID(fmt.Sprint(i))}, Order: uint64(i)}
		switch {
		case i < 6:
			p.Networks = []string{"one", "its /56"}
		case i < 18:
			p.Networks = []string{fmt.Sprint("other ", i), "its /56"}
		}
		queue = append(queue, p)
	}
	var got []uint64
	for _, p := range preferFirstOfAddresses(queue) {
		got = append(got, p.Order)
	}
	if want := "[0 1 2 6 7 8 9 10 11 12 13 14 18 19 3 4 5 15 16 17]"; fmt.Sprint(got) != want {
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

// pairNames pairs tickets, oldest first, and names the pairs.
func pairNames(m meetings, now time.Time, queue ...ticket) (names []string) {
	for i := range queue {
		queue[i].Order, queue[i].Accepts = uint64(i), match.DefaultAccepted()
	}
	for _, pair := range m.pairTickets(queue, now) {
		names = append(names, string(pair.first.Player.ID+" "+pair.second.Player.ID))
	}
	return names
}

func ticketOf(id match.PlayerID) ticket { return ticket{Player: match.Player{ID: id}} }

func unblocked(match.PlayerID, match.PlayerID) bool { return false }

// The same two are paired again at once only while no other opponent waits.
func TestTheLastOpponentComesAfterOthers(t *testing.T) {
	now := time.Now()
	m := newMeetings(unblocked)
	ann, bob := ticketOf("ann"), ticketOf("bob")
	met := ann
	met.Match, met.Opponent = "m", "bob" // bob's ticket may have been missed
	m.remember(met, now)
	for _, test := range []struct {
		queue []ticket
		want  string
	}{
		{[]ticket{ann, bob}, "ann bob"},
		{[]ticket{ann, bob, ticketOf("cyd")}, "ann cyd"},
		{[]ticket{bob, ann, ticketOf("cyd")}, "bob cyd"},
		{[]ticket{ann, bob, ticketOf("cyd"), ticketOf("dan")}, "ann cyd, bob dan"},
	} {
		if got := strings.Join(pairNames(m, now, test.queue...), ", "); got != test.want {
			t.Errorf("paired %q, want %q", got, test.want)
		}
	}
	later := now.Add(pairingLife + time.Second)
	if got := pairNames(m, later, ann, bob, ticketOf("cyd")); !slices.Equal(got, []string{"ann bob"}) {
		t.Errorf("long after, paired %q", got)
	}
	if m.dropExpired(later); len(m.last) > 0 {
		t.Errorf("long after, remembers %v", m.last)
	}
}

func TestPlayersChooseWhetherTheyMeetPrograms(t *testing.T) {
	m := newMeetings(unblocked)
	program := ticketOf("program")
	program.IsProgram = true
	for _, test := range []struct {
		ann  Meets
		want string
	}{{"", "ann program"}, {MeetsPeople, "ann bob"}, {MeetsPrograms, "ann program"}} {
		ann := ticketOf("ann")
		ann.Meets = test.ann
		if got := strings.Join(pairNames(m, time.Time{}, ann, program, ticketOf("bob")), ", "); got != test.want {
			t.Errorf("meets %q: paired %q, want %q", test.ann, got, test.want)
		}
	}
	ann, shy := ticketOf("ann"), program
	shy.Meets, ann.Meets = MeetsPeople, MeetsPeople
	if got := pairNames(m, time.Time{}, shy, program, ann); len(got) > 0 {
		t.Errorf("paired %q, although each pair has a player that does not want it", got)
	}
}

// A ticket tells other nodes which opponents its player wants, and whether the player is a program.
func TestATicketTellsWhoIsAProgram(t *testing.T) {
	r := match.NewMemory()
	l := newLobby(t.Context(), r, func(c *Config) {
		c.IsProgram = func(p match.PlayerID) bool { return p == "bob" }
	})
	defer r.Watch(l.OnEntry)()
	for i, test := range []struct {
		player  match.PlayerID
		options Options
		want    bool
	}{
		{"ann", Options{Meets: MeetsPrograms}, false},
		{"bob", Options{}, true},
		{"cyd", Options{IsProgram: true}, true},
	} {
		p := match.Player{ID: test.player, Name: string(test.player)}
		if _, err := l.SeekWith(t.Context(), p, test.options, terms(t, i+1)...); err != nil {
			t.Fatal(err)
		}
		read, err := parseTicket(l.queue.ticket(test.player).toPut())
		if err != nil || read.IsProgram != test.want || read.Meets != test.options.Meets {
			t.Errorf("%s has %+v, %v", test.player, read, err)
		}
	}
}

// A player who waited for programs was offered to people, and both waited side by side.
func TestOnlyPlayersWhoMayMeetAreListed(t *testing.T) {
	r := match.NewMemory()
	l := newLobby(t.Context(), r, func(c *Config) {
		c.IsProgram = func(p match.PlayerID) bool { return p == "bob" }
	})
	defer r.Watch(l.OnEntry)()
	// ann and cyd would also be kept apart.
	l.meetings.separate("ann", separation{"cyd", time.Now(), true})
	l.meetings.separate("cyd", separation{"ann", time.Now(), false})
	seeks := map[match.PlayerID]*Seek{}
	for _, seek := range []struct {
		id     match.PlayerID
		meets  Meets
		boards int
	}{{"ann", MeetsPrograms, 1}, {"cyd", "", 1}, {"dee", "", 2}} {
		var err error
		seeks[seek.id], err = l.SeekWith(t.Context(), match.Player{ID: seek.id, Name: string(seek.id)},
			Options{Meets: seek.meets}, terms(t, seek.boards)...)
		testkit.OK(t, err)
	}
	l.tellAndPair()
	for id, want := range map[match.PlayerID]string{"ann": "1 [] []", "cyd": "2 [dee] []", "dee": "2 [cyd] []"} {
		names := func(all []Waiter) (names []string) {
			for _, w := range all {
				names = append(names, w.Name)
			}
			return names
		}
		got := seeks[id].Latest()
		testkit.Equal(t, fmt.Sprint(got.Waiting, names(got.Others), names(got.Apart)), want, id)
	}
	for reader, want := range map[match.PlayerID]int{"": 2, "dan": 2, "bob": 3} {
		got := l.Waiting(reader)
		testkit.Equal(t, got.Count, want, reader)
		testkit.Equal(t, len(got.First), want, reader)
	}
}

// waitingLobby returns a lobby with a long queue of players of this node. accepts gives the terms of player i.
func waitingLobby(blocks func(by, other match.PlayerID) bool, players int, accepts func(i int) []match.Terms) *Lobby {
	l := newLobby(context.Background(), match.NewMemory(), func(c *Config) { c.Blocks = blocks })
	for i := range players {
		p := match.Player{ID: match.PlayerID(fmt.Sprint(i)), Name: fmt.Sprint(i)}
		s := &Seek{lobby: l, player: p, mailbox: match.NewMailbox[SeekStatus](), state: seekWaiting}
		l.seeks[p.ID] = s
		l.queue.replace(keyOf(p.ID), ticket{
			Player: p, Node: "here", Order: uint64(i), entry: match.Entry{At: time.Now()}, Accepts: accepts(i),
			Networks: []string{fmt.Sprint("address ", i/100)},
		})
	}
	return l
}

// ownClocks gives each of 18,000 players terms that no other player accepts.
func ownClocks(i int) (all []match.Terms) {
	for n := i * match.MaxAccepted; n < (i+1)*match.MaxAccepted; n++ {
		clock, err := match.Fischer(1+n%180, n/180%180)
		if err != nil {
			panic(err)
		}
		v, err := rules.Notakto(1 + n/180/180%rules.MaxBoards)
		if err != nil {
			panic(err)
		}
		all = append(all, match.Terms{Variant: v, Clock: clock})
	}
	return all
}

// clockedStore is a store with a clock that the test sets.
type clockedStore struct {
	match.Store
	at time.Time
}

func (s *clockedStore) Now() time.Time { return s.at }

// Each session in the lobby asks every two seconds who waits, with the lobby's lock held.
func TestALongQueueIsListedWithoutALookAtAll(t *testing.T) {
	calls := 0
	blocks := func(match.PlayerID, match.PlayerID) bool { calls++; return false }
	const players = 1000
	l := waitingLobby(blocks, players, ownClocks)
	l.queue.refreshWaiting()
	calls = 0
	w := l.Waiting("0")
	if w.Count != players-1 || len(w.First) != MaxWaiters || w.First[0].Player != "1" {
		t.Errorf("%+v", w)
	}
	if calls == 0 || calls > 2*maxExamined {
		t.Errorf("%d calls for %d players", calls, players)
	}
}

// A thousand players who each want a clock of their own once stopped the queue and the matches of all others. The time
// for one of a crowd must not depend on its size.
func TestACrowdOfPlayersWithTheirOwnTermsIsLookedThroughOnce(t *testing.T) {
	calls := 0
	blocks := func(match.PlayerID, match.PlayerID) bool { calls++; return false }
	for _, players := range []int{100, 1000} {
		l := waitingLobby(blocks, players, ownClocks)
		calls = 0
		l.tellAndPair()
		if most := 3 * maxCompared * players; calls > most {
			t.Errorf("%d players are compared %d times, over %d", players, calls, most)
		}
	}
	// Programs that want people, and no program.
	l := waitingLobby(blocks, 1000, func(int) []match.Terms { return match.DefaultAccepted() })
	for key, waits := range l.queue.tickets {
		waits.IsProgram, waits.Meets = true, MeetsPeople
		l.queue.replace(key, waits)
	}
	calls = 0
	if l.tellAndPair(); calls > 3*maxCompared*1000 {
		t.Errorf("a thousand programs that want people are compared %d times", calls)
	}
}

// With 1,000 waiting, each change made the lobby compare all terms and tell all players, ten times a second.
func TestAChangeOfALongQueueConcernsFewPlayers(t *testing.T) {
	calls := 0
	blocks := func(match.PlayerID, match.PlayerID) bool { calls++; return false }
	const players = 2000
	l := waitingLobby(blocks, players, ownClocks)
	clock := &clockedStore{l.cfg.Store, time.Now()}
	l.cfg.Store = clock
	for range 10 { // uses up the looks at the whole queue
		l.tellAndPair()
	}
	calls = 0
	for i := range 20 { // two seconds
		clock.at = clock.at.Add(time.Second / 10)
		l.queue.replace(keyOf("0"), ticket{
			Player: match.Player{ID: "0"}, Node: "here", entry: match.Entry{At: time.Now()}, Accepts: ownClocks(players + i),
		})
		l.tellAndPair()
	}
	if most := 3 * players * maxCompared; calls == 0 || calls > most {
		t.Errorf("20 changes make %d comparisons, over %d", calls, most)
	}
	if got := l.seeks["1"].status.Waiting; got != players {
		t.Errorf("the second player is told of %d waiting players, want %d", got, players)
	}
	var related []match.PlayerID
	for i, p := range []ticket{
		{Player: match.Player{ID: "ann"}, Accepts: slices.Concat(ownClocks(7)[:1], ownClocks(8)[:1])},
		{Player: match.Player{ID: "bob"}, Accepts: ownClocks(8)[:1]},
	} {
		p.Order, p.entry.At = uint64(players+i), time.Now()
		l.queue.replace(keyOf(p.Player.ID), p)
		related = append(related, "a look:")
		for _, p := range l.queue.takeRelated() {
			related = append(related, p.Player.ID)
		}
	}
	if got, want := fmt.Sprint(related), "[a look: 7 8 ann a look: 7 8 ann bob]"; got != want {
		t.Errorf("two newcomers make the lobby look at %s, want %s", got, want)
	}
}

// After each change, the lobby compares only tickets that share terms with a changed one.
func TestNoPairIsLeftToALookAtTheWholeQueue(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	isBlocked := func(p, other match.PlayerID) bool { return p[0]%3 == other[0]%3 }
	q, m, revision, pairs := newQueue(time.Now), newMeetings(isBlocked), uint64(0), 0
	put := func(p ticket) {
		revision++
		p.entry = match.Entry{Revision: revision, At: time.Now()}
		p.Order = cmp.Or(p.Order, revision)
		q.replace(keyOf(p.Player.ID), p)
	}
	for range 5000 {
		p := ticketOf(match.PlayerID('a' + rune(random.IntN(12))))
		switch old := q.ticket(p.Player.ID); {
		case old.isWaiting():
			q.replace(keyOf(p.Player.ID), ticket{})
		default:
			for range 1 + random.IntN(2) {
				p.Accepts = append(p.Accepts, terms(t, 1+random.IntN(rules.MaxBoards))...)
			}
			put(p)
		}
		for _, pair := range m.pairTickets(q.takeRelated(), time.Now()) {
			pairs++
			pair.first.Match, pair.first.Opponent = "m", pair.second.Player.ID
			put(pair.first) // ends the wait of both
		}
		q.refreshWaiting()
		q.touched = make(map[match.Terms]bool)
		if left := m.pairTickets(q.waiting, time.Now()); len(left) > 0 {
			t.Fatalf("%s and %s are not paired", left[0].first.Player.ID, left[0].second.Player.ID)
		}
	}
	if pairs < 100 {
		t.Errorf("%d pairs", pairs)
	}
}

// The registry waits for OnEntry, so a change of a long queue may not always cost a look at the whole queue.
func TestManyChangesOfALongQueueShareOneLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		looks, o := 0, &countingOpener{}
		r := match.NewMemory()
		l := newLobby(ctx, r, func(c *Config) { c.Opener = o })
		o.taken = func() { looks += len(l.queue.tickets) }
		var revision uint64
		change := func(name match.PlayerID, n int) {
			revision++
			e := ticket{Player: match.Player{ID: name}, Node: "there", Accepts: ownClocks(n)}.toPut()
			e.Revision, e.At = revision, r.Now()
			l.OnEntry(e)
		}
		for i := range 2000 { // a second
			change(match.PlayerID(fmt.Sprint(i%1000)), i)
			<-time.After(time.Second / 2000)
		}
		if most := 4 * lookRate; looks == 0 || looks > most {
			t.Errorf("2,000 changes in a second make the lobby look at %d tickets, over %d", looks, most)
		}
		change("ann", 2000)
		<-time.After(time.Second / 10)
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.queue.touched) > 0 {
			t.Error("a tenth of a second after the last player, the lobby has not looked at that ticket")
		}
	})
}

// countingOpener calls taken in each pass of the lobby.
type countingOpener struct {
	opener
	taken func()
}

func (c *countingOpener) TakeSpoiled() []*match.State {
	c.taken()
	return nil
}

// Guests cost nothing, so an address could otherwise fill the queue with as many as it has sessions.
func TestGuestsOfOneAddressDoNotFillTheQueue(t *testing.T) {
	r, kept := match.NewMemory(), 0
	l := newLobby(t.Context(), r, func(c *Config) {
		c.Networks = func(p match.PlayerID) []string { return []string{"address of " + string(p[:1]), "network"} }
		c.MaxGuests, c.OnLimit = 2, func(match.PlayerID, error) { kept++ }
	})
	defer r.Watch(l.OnEntry)()
	seek := func(id match.PlayerID, isGuest bool, n int) (*Seek, error) {
		return l.Seek(t.Context(), match.Player{ID: id, Name: string(id), Guest: isGuest}, ownClocks(n)...)
	}
	for i, test := range []struct {
		id      match.PlayerID
		isGuest bool
		want    error
	}{
		{"a1", true, nil},
		{"a2", true, nil},
		{"a3", true, match.ErrAddressFull},
		{"a4", false, nil},
		{"b1", true, nil},
	} {
		s, err := seek(test.id, test.isGuest, i)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.id, err, test.want)
		}
		if test.id == "b1" {
			s.Cancel()
		}
	}
	if kept != 1 {
		t.Errorf("%d refusals are counted, want 1", kept)
	}
	for i := range 10 { // who has left does not count
		s, err := seek("b2", true, 100+i)
		if err != nil {
			t.Fatal(err)
		}
		s.Cancel()
	}
}

// A match takes five changes of the registry. An update of the queue for each of them took a third of the server's
// time with 500 programs.
func TestOnlyAChangeOfTheQueueUpdatesIt(t *testing.T) {
	l := newLobby(t.Context(), match.NewMemory(), nil)
	waits := ticket{
		Player: match.Player{ID: "ann"}, Node: "here", entry: match.Entry{At: time.Now()}, Accepts: terms(t, 3),
	}
	paired, expired := waits, waits
	paired.Match, paired.Opponent = "m", "bob"
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
			t.Errorf("%s: the queue is updated: %t", test.name, got)
		}
	}
}
