package rules_test

import (
	"testing"

	"notakto/rules"
)

// The names are the bot protocol's.
func TestReasonNames(t *testing.T) {
	for reason, name := range map[rules.Reason]string{
		rules.Boards: "boards", rules.Line: "line", rules.Draw: "draw", rules.Resign: "resign", rules.Time: "time",
		rules.Abandoned: "abandoned", rules.Operator: "operator", rules.Unfinished: "unfinished", 250: "unknown",
	} {
		if reason.String() != name {
			t.Errorf("reason %d is called %q, want %q", reason, reason, name)
		}
		if over := (rules.Outcome{Reason: reason}).Over(); over != (reason != rules.Unfinished) {
			t.Errorf("a game ended by %v is over: %v", reason, over)
		}
	}
}

func TestSidesAreEachOthersOpponents(t *testing.T) {
	for side, other := range map[rules.Side]rules.Side{
		rules.First: rules.Second, rules.Second: rules.First, rules.Nobody: rules.Nobody,
	} {
		if side.Other() != other {
			t.Errorf("the opponent of %d is %d, want %d", side, side.Other(), other)
		}
	}
}
