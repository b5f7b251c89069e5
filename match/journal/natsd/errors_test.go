package natsd

import (
	"context"
	"testing"

	"notakto/match"
)

func TestPartOf(t *testing.T) {
	for want, cause := range map[string]error{
		DiskPart: errFull, ClusterPart: errNoMajority, JournalPart: context.DeadlineExceeded,
	} {
		if part, got := PartOf(Unavailable(cause)); part != want || got != cause { //nolint:errorlint // the same one
			t.Errorf("%v is about the %s: %v", cause, part, got)
		}
	}
	if part, got := PartOf(match.ErrUnavailable); part != JournalPart || got == nil {
		t.Errorf("an error without a cause is about the %s: %v", part, got)
	}
}
