package strategy_test

import (
	"errors"
	"strings"
	"testing"

	"notakto/rules/strategy"
)

func TestEveryLevelIsReadBackFromItsName(t *testing.T) {
	levels := strategy.Levels()
	var names []string
	for _, l := range levels {
		names = append(names, l.String())
		for _, name := range []string{l.String(), strings.ToUpper(l.String())} {
			if got, err := strategy.ParseLevel(name); err != nil || got != l {
				t.Errorf("ParseLevel(%q) = %v, %v", name, got, err)
			}
		}
	}
	if got := strings.Join(names, " "); got != "novice learner steady careful sharp perfect random student centre club" {
		t.Errorf("the levels are %s", got)
	}
}

func TestParseLevelRefuses(t *testing.T) {
	for _, name := range []string{"", "center", "perfect ", "1", "\u017ftudent"} {
		got, err := strategy.ParseLevel(name)
		if !errors.Is(err, strategy.ErrBadLevel) || got != 0 {
			t.Errorf("ParseLevel(%q) = %v, %v; want ErrBadLevel", name, got, err)
			continue
		}
		for _, l := range strategy.Levels() {
			if !strings.Contains(err.Error(), l.String()) {
				t.Errorf("%q does not say that %v is allowed", err, l)
			}
		}
	}
}

func TestNoLevelAndNoVerdictHaveNoName(t *testing.T) {
	if strategy.Level(0).String() != "" || strategy.Level(200).String() != "" {
		t.Error("a level that is none has a name")
	}
	if strategy.Verdict(0).String() != "" || strategy.Verdict(200).String() != "" {
		t.Error("a verdict that is none has a name")
	}
}

func FuzzParseLevel(f *testing.F) {
	for _, name := range []string{"random", "CLUB", "perfect ", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		l, err := strategy.ParseLevel(name)
		switch {
		case err != nil && (l != 0 || !errors.Is(err, strategy.ErrBadLevel)):
			t.Fatalf("ParseLevel(%q) = %v, %v", name, l, err)
		case err == nil && !strings.EqualFold(name, l.String()):
			t.Fatalf("ParseLevel(%q) = %v", name, l)
		}
	})
}
