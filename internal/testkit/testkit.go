// Package testkit has helpers for the tests of several packages: checks, accounts in memory, and stores on SQLite.
package testkit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// OK ends the test if err is not nil.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Equal reports an error unless got is want. The error names about, such as the row of a table.
func Equal[T comparable](t testing.TB, got, want T, about ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%sgot  %s\nwant %s", heading(about), quoted(got), quoted(want))
	}
}

// ErrorIs reports an error unless err is want, as errors.Is says. The error names about.
func ErrorIs(t testing.TB, err, want error, about ...any) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%sthe error is %v\nwant         %v", heading(about), err, want)
	}
}

// Contains reports an error unless text has all parts.
func Contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func heading(about []any) string {
	if len(about) == 0 {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintln(about...), "\n") + ":\n"
}

// quoted shows a text of one line in quotes, and everything else with its fields.
func quoted(value any) string {
	if text, isText := value.(string); isText && !strings.Contains(text, "\n") {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%+v", value)
}
