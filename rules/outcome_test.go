package rules_test

import (
	"testing"

	"notakto/rules"
)

// The bot protocol has these names.
func TestReasonNames(t *testing.T) {
	for reason, name := range map[rules.Reason]string{
		rules.ReasonBoards: "boards", rules.ReasonLine: "line", rules.ReasonDraw: "draw", rules.ReasonResign: "resign",
		rules.ReasonTime: "time", rules.ReasonAbandoned: "abandoned", rules.ReasonOperator: "operator",
		rules.Unfinished: "unfinished", 250: "unknown",
	} {
		if reason.String() != name {
			t.Errorf("reason %d is called %q, want %q", reason, reason, name)
		}
		if over := (rules.Outcome{Reason: reason}).IsOver(); over != (reason != rules.Unfinished) {
			t.Errorf("a game ended by %v is over: %v", reason, over)
		}
	}
}
