package plain

import (
	"time"

	"notakto/sshapp/wording"
)

// ending is how the match ended.
func (at table) ending() string {
	if at.Closed {
		return "The table has been closed."
	}
	return join(at.because(), at.headline(), wording.PairResult(at.State, at.Side, at.subject))
}

// nextSteps is what can be done at a table whose match is over.
func (at table) nextSteps(now time.Time) string {
	if next := wording.SecondGame(at.State, now); next != "" {
		return next
	}
	switch {
	case at.Closed:
		return ""
	case at.IsSeated():
		return "Type rematch, review or leave."
	default:
		return "Type review to look back, or leave."
	}
}

// headline is who won.
func (at table) headline() string {
	if at.Outcome.IsVoid() {
		return "The match does not count."
	}
	return wording.Headline(at.State, at.Side, at.subject) + "."
}

// because is how the match ended.
func (at table) because() string { return wording.Reason(at.State, at.subject) }
