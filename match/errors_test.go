package match

import (
	"errors"
	"fmt"
	"testing"
)

// The context around the journal's text is not shown to a player.
func TestWhy(t *testing.T) {
	full := fmt.Errorf("%w: the disk is full", ErrUnavailable)
	joined := fmt.Errorf("%w: too few servers are up (%w)", ErrUnavailable, errors.New("no responders"))
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{ErrMatchOver, ""},
		{ErrUnavailable, "nothing can be recorded just now"},
		{full, "nothing can be recorded just now: the disk is full"},
		{fmt.Errorf("recording in match x: %w", full), "nothing can be recorded just now: the disk is full"},
		{fmt.Errorf("one: %w", fmt.Errorf("two: %w", joined)),
			"nothing can be recorded just now: too few servers are up (no responders)"},
	} {
		if got := UserMessage(test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}
