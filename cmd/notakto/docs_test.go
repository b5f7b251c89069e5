package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// The settings of docs/operations.md are the flags, with their variables and defaults.
func TestSettingsAreDescribed(t *testing.T) {
	var want []string
	newServe().Flags().VisitAll(func(f *pflag.Flag) {
		value := f.DefValue
		switch {
		case f.Name == "data":
			value = "$XDG_DATA_HOME/notakto"
		case value == "":
			value = "none"
		}
		want = append(want, "`--"+f.Name+"` | `"+variable(f.Name)+"` | `"+value+"`")
	})
	same(t, "docs/operations.md", rows(t, "docs/operations.md", `^\| (\x60--\S+ \| \S+ \| \x60[^|]+\x60) \|`), want)
}

// rows returns the first groups of a pattern in the lines of a file.
func rows(t *testing.T, name, pattern string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(pattern)
	for line := range strings.Lines(string(text)) {
		if m := row.FindStringSubmatch(line); m != nil {
			found = append(found, m[1])
		}
	}
	return found
}

func same(t *testing.T, name string, got, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s has no row for %s", name, w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("%s has a row for %s, which is not there", name, g)
		}
	}
}
