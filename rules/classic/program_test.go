package classic_test

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules/classic"
)

func TestProgramsAndComputersHaveNames(t *testing.T) {
	var names []string
	for _, program := range classic.Programs() {
		names = append(names, program.String())
		got, err := classic.ParseProgram(program.String())
		testkit.OK(t, err)
		testkit.Equal(t, got, program)
	}
	testkit.Equal(t, strings.Join(names, "|"), "two|three|one")
	for _, name := range []string{"", "Two", "four", " one", strings.Repeat("x", 1000)} {
		_, err := classic.ParseProgram(name)
		if testkit.ErrorIs(t, err, classic.ErrNoSuchProgram, name); len(err.Error()) > 200 {
			t.Errorf("%.10q: %v", name, err)
		}
	}
	for name, want := range map[string]classic.Computer{"strong": classic.Strong, "random": classic.Random} {
		got, err := classic.ParseComputer(name)
		testkit.OK(t, err)
		testkit.Equal(t, got, want)
	}
	for _, name := range []string{"", "Strong", "drawn"} {
		_, err := classic.ParseComputer(name)
		testkit.ErrorIs(t, err, classic.ErrNoSuchComputer, name)
	}
	for _, none := range []classic.Program{0, 99} {
		out, err := run(none, "1\n", classic.Options{})
		testkit.ErrorIs(t, err, classic.ErrNoSuchProgram)
		testkit.Equal(t, out+none.String(), "")
	}
}
