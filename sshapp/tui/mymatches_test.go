package tui

import (
	"fmt"
	"slices"
	"testing"

	"notakto/match"
)

// Who was on another screen than the lobby for hours, with a bot that played one match after the other under the same
// key, had them all kept and sorted once a second.
func TestTheLatestMatchesThatAreOverAreKept(t *testing.T) {
	var mine []myMatch
	const played = 3 * maxOver
	for i := range played {
		was := slices.Concat(mine, []myMatch{{id: match.ID(fmt.Sprint(i)), urgency: canWait}})
		mine = myMatches(running{}, was, "")
		if !newlyOver(mine, was) || newlyOver(mine, mine) {
			t.Errorf("of match %d nobody hears once", i)
		}
	}
	if len(mine) != maxOver || mine[0].id != match.ID(fmt.Sprint(played-1)) {
		t.Errorf("%d are kept, the first is %s", len(mine), mine[0].id)
	}
}
