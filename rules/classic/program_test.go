package classic_test

import (
	"errors"
	"strings"
	"testing"

	"notakto/rules/classic"
)

func TestProgramsHaveNames(t *testing.T) {
	var names []string
	for _, program := range classic.Programs() {
		names = append(names, program.String())
		if got, err := classic.ParseProgram(program.String()); got != program || err != nil {
			t.Errorf("%v is read back as %v, %v", program, got, err)
		}
	}
	if got := strings.Join(names, "|"); got != "two|three|one" {
		t.Errorf("the programs are %s", got)
	}
	for _, name := range []string{"", "Two", "four", " one", "2", strings.Repeat("x", 1000)} {
		if _, err := classic.ParseProgram(name); !errors.Is(err, classic.ErrNoSuchProgram) || len(err.Error()) > 200 {
			t.Errorf("%.10q: %v", name, err)
		}
	}
}

func TestNoProgramRunsNothing(t *testing.T) {
	for _, none := range []classic.Program{0, 99} {
		if out, err := run(none, "1\n", classic.Options{}); out != "" || !errors.Is(err, classic.ErrNoSuchProgram) ||
			none.String() != "" {
			t.Errorf("program %d says %q and ends with %v", none, out, err)
		}
	}
}
