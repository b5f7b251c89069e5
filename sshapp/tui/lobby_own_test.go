package tui

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/sshapp/client"
)

func TestARowOfAMatchNamesWhoIsToMove(t *testing.T) {
	now := time.Now()
	o := client.OwnMatch{Summary: match.Summary{MoveBy: now.Add(25 * time.Hour), Bank: time.Hour}}
	for state, want := range map[client.OwnState]string{
		client.PersonWaits: ", your turn, 1 d left", client.OpponentsTurn: ", their turn, 1 d left",
	} {
		o.State = state
		testkit.Equal(t, ownMatchStateText(o, now), want)
	}
}
