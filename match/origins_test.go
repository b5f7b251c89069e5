package match

import (
	"strconv"
	"testing"
	"time"
)

func TestManyNamesFromOnePlaceShareItsLimit(t *testing.T) {
	at := map[PlayerID][]string{"ann": {"here"}, "bob": {"here"}, "cat": {"here"}, "dan": {"there"}}
	o := newOrigins(2, func(p PlayerID) []string { return at[p] })
	take := func(p PlayerID, id ID) {
		t.Helper()
		if o.full(p) {
			t.Fatalf("%s may not sit down: %v", p, o.taken)
		}
		o.take(claim{p, id})
		o.take(claim{p, id}) // as it is recorded
	}
	take("ann", "1")
	delete(at, "ann") // gone, and the match is still on
	take("bob", "1")
	if !o.full("cat") || !o.full("bob") {
		t.Error("a third seat was given")
	}
	take("dan", "2")
	for _, id := range []ID{"2", "3", "4"} {
		take("eve", id) // from nowhere
	}
	o.give(claim{"ann", "1"})
	take("cat", "5")
	if !o.full("cat") {
		t.Error("a third seat was given after one was given back")
	}
	for _, c := range []claim{{"ann", "1"}, {"bob", "1"}, {"cat", "5"}, {"dan", "2"}, {"eve", "2"}} {
		o.give(c)
	}
	if n := len(o.from) + len(o.taken); n != 0 {
		t.Errorf("%d things are remembered", n)
	}
}

// An address more of the same /48 is no address more.
func TestLargerNetworksHaveAMultipleOfTheLimit(t *testing.T) {
	o := newOrigins(1, func(p PlayerID) []string { return []string{string(p), "around", "wide"} })
	for i := range networkTimes {
		p := PlayerID(rune('a' + i))
		if o.full(p) {
			t.Fatalf("%s may not sit down", p)
		}
		o.take(claim{p, "1"})
	}
	if !o.full("new") {
		t.Error("a fifth address of a network has a seat")
	}
	d, now := newDebts(2, time.Minute), time.Now()
	for i := range 2 * networkTimes {
		who := []account{{string(rune('a' + i)), 1}, {"around", networkTimes}}
		if !d.allow(now, who...) {
			t.Fatalf("%v may not", who)
		}
		d.charge(now, who...)
	}
	if d.allow(now, account{"new", 1}, account{"around", networkTimes}) || !d.allow(now, account{"new", 1}) {
		t.Error("a ninth time is allowed to a network, or to no one")
	}
}

// What was remembered of many who owe something was looked through with each of them, and had no bound.
func TestDebtsAreBounded(t *testing.T) {
	d, now := newDebts(1, time.Hour), time.Now()
	for i := range 5 * rememberMost {
		d.charge(now, account{strconv.Itoa(i), 1})
	}
	if n := d.owed.len(); n > 2*rememberMost || n < rememberMost {
		t.Errorf("%d are remembered", n)
	}
	if d.allow(now, account{strconv.Itoa(5*rememberMost - 1), 1}) {
		t.Error("the latest is forgotten")
	}
}

// Players who had passed through a place and went on to play elsewhere kept the place full, for as long as they played.
func TestWhoHasGoneElsewhereFillsNoPlace(t *testing.T) {
	at := map[PlayerID][]string{"ann": {"here"}}
	o := newOrigins(1, func(p PlayerID) []string { return at[p] })
	if o.full("ann") {
		t.Fatal("an empty place is full")
	}
	at["ann"] = []string{"there"}
	o.take(claim{"ann", "1"})
	at["bob"], at["ann"] = []string{"here"}, []string{"here"}
	if o.full("bob") {
		t.Error("a seat that was taken elsewhere counts here")
	}
	o.take(claim{"bob", "1"})
	if !o.full("ann") {
		t.Fatal("a second seat was given")
	}
	at["bob"] = []string{"there"}
	clear(o.counted) // a second later
	if o.full("ann") {
		t.Error("the seat of somebody who plays on elsewhere counts here")
	}
}
