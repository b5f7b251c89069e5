package lobby

import (
	"fmt"
	"testing"

	"notakto/match"
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
