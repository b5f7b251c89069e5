package match

import "testing"

func TestManyNamesFromOnePlaceShareItsLimit(t *testing.T) {
	at := map[PlayerID]string{"ann": "here", "bob": "here", "cat": "here", "dan": "there"}
	seats := map[PlayerID]int{}
	o := newOrigins(2, func(p PlayerID) string { return at[p] })
	full := func(p PlayerID) bool { return o.full(p, func(p PlayerID) int { return seats[p] }) }
	take := func(p PlayerID) {
		t.Helper()
		if full(p) {
			t.Fatalf("%s may not sit down: %v", p, seats)
		}
		seats[p]++
	}
	take("ann")
	delete(at, "ann") // gone, and the match is still on
	take("bob")
	if !full("cat") || !full("bob") {
		t.Error("a third seat was given")
	}
	take("dan")
	take("eve") // from nowhere
	take("eve")
	take("eve")
	seats["ann"] = 0
	take("cat")
	if !full("cat") {
		t.Error("a third seat was given after one was given back")
	}
	clear(seats)
	clear(at)
	at["fay"] = "here"
	take("fay")
	if n := len(o.players["here"]); n != 1 {
		t.Errorf("%d players are remembered", n)
	}
}
