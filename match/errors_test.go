package match

import (
	"errors"
	"fmt"
	"testing"
)

func TestUserMessageOmitsTheContext(t *testing.T) {
	full := fmt.Errorf("%w: the disk is full", ErrUnavailable)
	joined := fmt.Errorf("%w: too few servers are up (%w)", ErrUnavailable, errors.New("no responders"))
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{ErrMatchOver, ""},
		{ErrUnavailable, "the server cannot save moves now"},
		{full, "the server cannot save moves now: the disk is full"},
		{fmt.Errorf("recording in match x: %w", full), "the server cannot save moves now: the disk is full"},
		{fmt.Errorf("one: %w", fmt.Errorf("two: %w", joined)),
			"the server cannot save moves now: too few servers are up (no responders)"},
	} {
		if got := UserMessage(test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}
