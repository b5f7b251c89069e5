package match

import (
	"testing"

	"notakto/rules"
)

func TestManyNamesFromOnePlaceShareItsLimit(t *testing.T) {
	at := map[PlayerID]string{"ann": "here", "bob": "here", "cat": "here", "dan": "there"}
	o := newOrigins(2, func(p PlayerID) string { return at[p] })
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

// Players who had passed through a place and went on to play elsewhere kept the place full, for as long as they played.
func TestWhoHasGoneElsewhereFillsNoPlace(t *testing.T) {
	at := map[PlayerID]string{"ann": "here"}
	o := newOrigins(1, func(p PlayerID) string { return at[p] })
	if o.full("ann") {
		t.Fatal("an empty place is full")
	}
	at["ann"] = "there"
	o.take(claim{"ann", "1"})
	at["bob"], at["ann"] = "here", "here"
	if o.full("bob") {
		t.Error("a seat that was taken elsewhere counts here")
	}
	o.take(claim{"bob", "1"})
	if !o.full("ann") {
		t.Fatal("a second seat was given")
	}
	at["bob"] = "there"
	if o.full("ann") {
		t.Error("the seat of somebody who plays on elsewhere counts here")
	}
}

// Seats that were taken before the process began were counted nowhere.
func TestSeatsCountAfterARestart(t *testing.T) {
	at := map[PlayerID]string{ann().ID: "here", bob().ID: "here"}
	cfg := Config{Journal: NewMemory(DefaultKept), MaxSeats: 2, Source: func(p PlayerID) string { return at[p] }}
	inBubble(t, cfg, func(b *bed) {
		for range 2 {
			b.open(ann(), Computer(1), rules.DefaultVariant())
		}
		clear(at)
		next := newBed(t, b.cfg)
		defer next.Close()
		at[ann().ID], at[bob().ID] = "here", "here"
		for _, p := range []Player{ann(), bob()} {
			if _, err := next.Play(b.Context(), p, rules.DefaultVariant(), 1, rules.First); !isErr(err, ErrTooMany) {
				b.Errorf("%s: %v", p.Name, err)
			}
		}
	})
}
