package tui

import (
	"fmt"
	"slices"
	"testing"

	"notakto/match"
	"notakto/sshapp/client"
)

// Who was on another screen than the lobby for hours, with a bot that played one match after the other under the same
// key, had them all kept and sorted once a second.
func TestTheLatestMatchesThatAreOverAreKept(t *testing.T) {
	var mine []client.OwnMatch
	const played = 3 * maxOver
	for i := range played {
		was := slices.Concat(mine, []client.OwnMatch{
			{Summary: match.Summary{ID: match.ID(fmt.Sprint(i))}, State: client.OpponentsTurn},
		})
		mine = elsewhere(nil, was, "")
		if len(client.Ended(was, nil)) != 1 || len(client.Ended(mine, nil)) != 0 {
			t.Errorf("of match %d the player is not told once", i)
		}
	}
	if len(mine) != maxOver || mine[0].ID != match.ID(fmt.Sprint(played-1)) {
		t.Errorf("%d are kept, the first is %s", len(mine), mine[0].ID)
	}
}
