package match

import (
	"testing"

	"notakto/rules"
)

// Two players who were promised a match are seated at the nodes at which the board shows them, although the note of the
// promise may name a node that one of them has left since.
func TestPlayersAreSeatedWhereTheyAreNow(t *testing.T) {
	ann, bob := Player{ID: "ann", Name: "ann"}, Player{ID: "bob", Name: "bob"}
	l := newLobby(t.Context(), LobbyConfig{})
	p := place{
		Player: ann, Variant: rules.DefaultVariant(), Node: "n1",
		Match: "m", Side: rules.First, Other: bob, Away: "n1",
	}
	for _, test := range []struct {
		match ID
		want  Node
	}{{"m", "n2"}, {"another", "n1"}} {
		l.wall[keyOf(bob.ID)] = place{Player: bob, Node: "n2", Match: test.match}
		if got := l.opening(p); got.Nodes != [2]Node{"n1", test.want} || got.Players != [2]Player{ann, bob} {
			t.Errorf("with bob promised %s: seated as %+v", test.match, got)
		}
	}
}
