package limit

import (
	"fmt"
	"testing"

	"notakto/match"
)

func TestManyNamesFromOneAddressShareItsLimit(t *testing.T) {
	at := map[match.PlayerID][]string{"ann": {"here"}, "bob": {"here"}, "cat": {"here"}, "dan": {"there"}}
	o := NewSeats(2, func(p match.PlayerID) []string { return at[p] })
	take := func(p match.PlayerID, id match.ID) {
		t.Helper()
		if o.IsFull(p) {
			t.Fatalf("%s may not sit down: %v", p, o.taken)
		}
		o.Take(Claim{p, id})
		o.Take(Claim{p, id}) // as when it is recorded
	}
	take("ann", "1")
	delete(at, "ann") // disconnected, with the match in progress
	take("bob", "1")
	if !o.IsFull("cat") || !o.IsFull("bob") {
		t.Error("a third seat was given")
	}
	take("dan", "2")
	for _, id := range []match.ID{"2", "3", "4"} {
		take("eve", id) // without a network
	}
	o.Release(Claim{"ann", "1"})
	take("cat", "5")
	if !o.IsFull("cat") {
		t.Error("a third seat was given after one was given back")
	}
	for _, c := range []Claim{{"ann", "1"}, {"bob", "1"}, {"cat", "5"}, {"dan", "2"}, {"eve", "2"}} {
		o.Release(c)
	}
	if n := len(o.countedIn) + len(o.taken); n != 0 {
		t.Errorf("%d things are remembered", n)
	}
}

// Otherwise players that continue elsewhere use up the limit of their old address.
func TestAPlayerWhoMovedCountsAtTheNewAddress(t *testing.T) {
	at := map[match.PlayerID][]string{"ann": {"here"}}
	o := NewSeats(1, func(p match.PlayerID) []string { return at[p] })
	if o.IsFull("ann") {
		t.Fatal("an empty place is full")
	}
	at["ann"] = []string{"there"}
	o.Take(Claim{"ann", "1"})
	at["bob"], at["ann"] = []string{"here"}, []string{"here"}
	if o.IsFull("bob") {
		t.Error("a seat that was taken elsewhere counts here")
	}
	o.Take(Claim{"bob", "1"})
	if !o.IsFull("ann") {
		t.Fatal("a second seat was given")
	}
	at["bob"] = []string{"there"}
	clear(o.recalculatedAt) // a second later
	if o.IsFull("ann") {
		t.Error("the seat of a player who plays on at another node counts here")
	}
}

func TestWhoParksMostGivesUpFirst(t *testing.T) {
	from := map[match.PlayerID][]string{
		"ann": {"64 a", "56"}, "mallory": {"64 b", "56"}, "trudy": {"64 b", "56"}, "eve": {"64 a", "56"},
	}
	o := NewSeats(1, func(p match.PlayerID) []string { return from[p] })
	moves := map[match.ID]int{"a1": 1, "e1": 0}
	park := func(p match.PlayerID, id match.ID) []match.ID {
		c := Claim{Player: p, Match: id}
		o.Take(c)
		return o.Park(c, func(id match.ID) int { return moves[id] })
	}
	for _, test := range []struct {
		p    match.PlayerID
		id   match.ID
		want string
	}{
		{"ann", "a1", "[]"},
		{"eve", "e1", "[e1]"},     // same address, no moves
		{"mallory", "m1", "[]"},   // another address
		{"trudy", "t1", "[m1]"},   // same address as mallory
		{"trudy", "t2", "[t1]"},   // the player with the most
		{"mallory", "m2", "[t2]"}, // the older of two
	} {
		if got := fmt.Sprint(park(test.p, test.id)); got != test.want {
			t.Errorf("%s gives up %s, want %s", test.id, got, test.want)
		}
	}
}
