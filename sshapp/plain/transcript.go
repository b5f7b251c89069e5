package plain

import (
	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// Transcript tells a match that is over to somebody who was not there, a line each: what was played and by whom, every
// move with what perfect play says of it, and how it ended.
func Transcript(s match.State) []string {
	at := table{&client.Table{Snapshot: &match.Snapshot{State: &s}}}
	shown := []string{"Match " + string(s.ID) + ": " + wording.Variant(s.Variant) + at.against()}
	for _, r := range strategy.Review(s.Variant, s.Moves) {
		shown = append(shown, at.reviewText(r))
	}
	return append(shown, at.ending())
}
