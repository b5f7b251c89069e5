package match

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"notakto/rules"
)

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

func TestMergeAccepted(t *testing.T) {
	given := []Terms{{Variant: rules.TicTacToe()}, DefaultTerms()}
	got := MergeAccepted(given, DefaultAccepted())
	if len(got) != 6 || !slices.Equal(got[:2], given) {
		t.Errorf("%+v", got)
	}
	if got := MergeAccepted(slices.Repeat(given, 8), DefaultAccepted()); len(got) != MaxAccepted {
		t.Errorf("%d terms", len(got))
	}
}

// Rated terms are fixed, except for a clock of days.
func TestRatedTermsAreValidated(t *testing.T) {
	for clock, want := range map[string]error{
		DefaultClock(RatedTerms(PeoplePool).Variant).String(): nil, "3d": nil, "5+3": rules.ErrBadVariant,
		"none": rules.ErrBadVariant,
	} {
		terms := RatedTerms(PeoplePool)
		if err := terms.Clock.UnmarshalText([]byte(clock)); err != nil {
			t.Fatal(err)
		}
		if err := ValidateTerms(terms); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", clock, err, want)
		}
		terms.Variant = boards(t, 1)
		if err := ValidateTerms(terms); !errors.Is(err, rules.ErrBadVariant) {
			t.Errorf("%s on one board: %v", clock, err)
		}
	}
}

// Terms without a clock keep the JSON of versions that had no clocks.
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
