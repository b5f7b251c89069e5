package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// TestMain makes the test binary the echo if startEcho has set echoVariable.
func TestMain(m *testing.M) {
	if os.Getenv(echoVariable) != "" {
		fmt.Fprintln(os.Stderr, serveEcho())
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

func TestTheTableHasEveryFigure(t *testing.T) {
	var out, progress bytes.Buffer
	args := strings.Fields("-sessions 20 -crowd 40 -matches 2 -seconds 1")
	if err := run(t.Context(), args, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
	t.Log("\n" + out.String())
	rows := new(figures).rows(options{})
	if got := strings.Count(out.String(), "\n| "); got != len(rows)+2 {
		t.Errorf("the table has %d lines, want %d", got, len(rows)+2)
	}
	for _, line := range strings.Split(out.String(), "\n| ")[3:] {
		name, rest, _ := strings.Cut(line, "|")
		value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		isMemory := strings.Contains(name, "KB") // of a few sessions, it is sometimes less than nothing
		if strings.HasPrefix(value, "-") && !isMemory || value == "0.00" && !strings.Contains(name, "goroutines") {
			t.Errorf("a figure is missing: %s", line)
		}
	}
}
