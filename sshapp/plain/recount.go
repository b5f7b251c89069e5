package plain

import (
	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// Recount tells a match that is over to somebody who was not there, a line each: what was played and by whom, every move with what perfect
// play says of it, and how it ended.
func Recount(s match.State) []string {
	at := &sitting{id: s.ID, Snapshot: match.Snapshot{State: &s}}
	told := []string{"Match " + string(s.ID) + ": " + wording.Variant(s.Variant) + at.against()}
	for _, r := range strategy.Review(s.Variant, s.Moves) {
		told = append(told, at.remarkText(r))
	}
	return append(told, at.ending())
}
