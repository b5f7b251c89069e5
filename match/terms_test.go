package match

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"notakto/rules"
)

// Who prefers a clock accepts each variant with the default clock and then without, and what has a clock as it is.
func TestPreferClock(t *testing.T) {
	all := PreferClock(DefaultAccepted())
	if len(all) != 10 || len(all) > MaxAccepted {
		t.Fatalf("%d terms", len(all))
	}
	for i := 0; i < len(all); i += 2 {
		timed, untimed := all[i], all[i+1]
		if timed.Variant != untimed.Variant || timed.Clock != DefaultClock(timed.Variant) || !untimed.Clock.IsNone() {
			t.Errorf("%+v stands before %+v", timed, untimed)
		}
	}
	blitz := Terms{Variant: rules.DefaultVariant(), Clock: Clock{minutes: 3, increment: 2}}
	if got := PreferClock([]Terms{blitz}); !slices.Equal(got, []Terms{blitz}) {
		t.Errorf("a clock that was named becomes %+v", got)
	}
}

func TestAcceptedBesides(t *testing.T) {
	given := []Terms{{Variant: rules.TicTacToe()}, DefaultTerms()}
	got := AcceptedBesides(given, DefaultAccepted())
	if len(got) != 6 || !slices.Equal(got[:2], given) {
		t.Errorf("%+v", got)
	}
	if got := AcceptedBesides(slices.Repeat(given, 8), DefaultAccepted()); len(got) != MaxAccepted {
		t.Errorf("%d terms", len(got))
	}
}

// Terms without a clock are written as they were before there were clocks.
func TestTermsAsJSON(t *testing.T) {
	clocked := Terms{Variant: rules.DefaultVariant(), Clock: Clock{minutes: 3, increment: 2}}
	for want, terms := range map[string]Terms{
		`{"variant":"notakto/3"}`: DefaultTerms(), `{"variant":"notakto/3","clock":"3+2"}`: clocked,
	} {
		text, err := json.Marshal(terms)
		back := Terms{}
		if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil || back != terms {
			t.Errorf("%+v is %s (%v) and %+v", terms, text, err, back)
		}
	}
	if err := json.Unmarshal([]byte(`{"variant":"notakto/3","clock":"x"}`), new(Terms)); !errors.Is(err, ErrBadClock) {
		t.Errorf("a bad clock: %v", err)
	}
}
