package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	args := []string{
		"-sessions", "20", "-crowd", "40", "-matches", "2", "-seconds", "1",
		"-archive", filepath.Join(t.TempDir(), "archive"),
	}
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

func TestAGoalIsMetOrNot(t *testing.T) {
	for text, r := range map[string]row{
		"| lobby, KB\t| 66.0\t| 60.0\t| x1.10\t| x1.3\t| yes\t|": {
			name: "lobby", unit: "KB", value: 66, echo: 60, goal: 1.3, isRatio: true,
		},
		"| key\t| 9.00\t| 3.00\t| x3.00\t| x1.6\t| no\t|": {name: "key", value: 9, echo: 3, goal: 1.6, isRatio: true},
		"| moves\t| 900\t| \t| \t| ≥ 1000\t| no\t|":       {name: "moves", value: 900, goal: 1000, isMinimum: true},
		"| start\t| 120\t| \t| \t| ≤ 300\t| yes\t|":       {name: "start", value: 120, goal: 300},
		"| syncs\t| 120\t| \t| \t| \t| \t|":               {name: "syncs", value: 120},
	} {
		if got := r.text(); got != text {
			t.Errorf("got  %s\nwant %s", got, text)
		}
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	for _, args := range []string{
		"-sessions 0", "-sessions many", "-crowd 2000000000", "-matches 0", "-seconds 0", "-colour",
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); !errors.Is(err, errBadOption) {
			t.Errorf("%s: %v, want %v", args, err, errBadOption)
		}
	}
}
