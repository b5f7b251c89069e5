package lobby

import (
	"testing"

	"notakto/match"
	"notakto/rules"
)

// Two paired players are seated at the nodes of their current tickets, although the pairing may name a node that one of
// them has left since.
func TestPlayersAreSeatedWhereTheyAreNow(t *testing.T) {
	ann, bob := match.Player{ID: "ann", Name: "ann"}, match.Player{ID: "bob", Name: "bob"}
	l := New(t.Context(), Config{})
	p := ticket{
		Player: ann, Terms: match.DefaultTerms(), Node: "n1",
		promise: promise{Match: "m", Side: rules.First, Other: bob, Away: "n1"},
	}
	for _, test := range []struct {
		match match.ID
		want  match.Node
	}{{"m", "n2"}, {"another", "n1"}} {
		l.queue.tickets[keyOf(bob.ID)] = ticket{Player: bob, Node: "n2", promise: promise{Match: test.match}}
		if got := l.openingOf(p); got.Nodes != [2]match.Node{"n1", test.want} || got.Players != [2]match.Player{ann, bob} {
			t.Errorf("with bob promised %s: seated as %+v", test.match, got)
		}
	}
}
