package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// TestMain makes the test binary a server under test too, as the command is.
func TestMain(m *testing.M) {
	if name := os.Getenv(serverVariable); name != "" {
		os.Exit(serve(name, os.Stdin, os.Stdout))
	}
	if err := flag.Set("test.parallel", "8"); err != nil { // a measurement mostly waits, and hardly computes
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

func TestEveryServerIsMeasured(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"notakto", "stock", "echo"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, progress bytes.Buffer
			args := []string{"-json", "-servers", name, "-sessions", "20", "-rate", "200", "-seconds", "1"}
			if err := run(t.Context(), args, &out, &progress); err != nil {
				t.Fatalf("%v\n%s", err, &progress)
			}
			var report Report
			if err := json.Unmarshal(out.Bytes(), &report); err != nil {
				t.Fatal(err)
			}
			if len(report.Results) != 1 || report.Results[0].Server != name {
				t.Fatalf("the report is not of %s alone: %s", name, &out)
			}
			checkFigures(t, report.Results[0])
		})
	}
}

func checkFigures(t *testing.T, r Result) {
	t.Helper()
	if r.Keys != 200 || r.Unanswered != 0 {
		t.Errorf("%d keys were pressed and %d unanswered, want 200 and 0", r.Keys, r.Unanswered)
	}
	if r.P50 <= 0 || r.P99 < r.P50 {
		t.Errorf("key to frame is %v at p50 and %v at p99", r.P50, r.P99)
	}
	if r.Memory < 16<<10 || r.Heap <= 0 || r.Stacks <= 0 || r.Goroutines < 3 {
		t.Errorf("a session weighs too little to be true: %+v", r)
	}
	if r.LoadCPU <= 0 || r.ClientCPU <= 0 || r.IdleCPU < 0 {
		t.Errorf("CPU is %.2f %% of the server and %.2f %% of the clients under load, %.2f %% idle", r.LoadCPU,
			r.ClientCPU, r.IdleCPU)
	}
	if r.KeyBytes < 3 {
		t.Errorf("%.1f bytes a cursor move do not move a cursor", r.KeyBytes)
	}
	if plays := r.Server != "echo"; plays != (r.MoveBytes > 0) {
		t.Errorf("%.1f bytes a move played", r.MoveBytes)
	}
	if answers := r.Server == "notakto"; answers != (r.AnswerBytes > 0) {
		t.Errorf("%.1f bytes an opponent's move", r.AnswerBytes)
	}
}

func TestTableHoldsEveryFigureAndItsRatio(t *testing.T) {
	t.Parallel()
	var out, progress bytes.Buffer
	args := []string{"-servers", "echo", "-sessions", "4", "-rate", "50", "-seconds", "1"}
	if err := run(t.Context(), args, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
	_, table, _ := strings.Cut(out.String(), "CPU in percent of one core")
	for _, row := range rows() {
		if strings.Count(out.String(), row.name) != 2 || !strings.Contains(table, row.name) {
			t.Errorf("%q is not once in the list and once in the table:\n%s", row.name, &out)
		}
	}
	if !strings.Contains(table, "x1.0") {
		t.Errorf("the echo is not compared with itself:\n%s", table)
	}
}

// An interrupted benchmark leaves no server behind: measure has waited for its end when it returns, and goleak finds a
// goroutine that still reads.
func TestBreakingOffEndsAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	progress := writerFunc(func(line string) {
		if strings.Contains(line, "resting") {
			cancel()
		}
	})
	err := run(ctx, []string{"-servers", "echo", "-sessions", "2", "-rate", "10", "-seconds", "600"}, io.Discard, progress)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the run ended with %v, want %v", err, context.Canceled)
	}
}

type writerFunc func(string)

func (f writerFunc) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}

func TestWrongOptionsAreRefused(t *testing.T) {
	for _, args := range []string{
		"-servers apache", "-sessions 0", "-sessions 20001", "-sessions many", "-rate 0", "-seconds 0", "-seconds 601",
		"-width 0",
		"-height 1001", "-colour",
	} {
		var progress bytes.Buffer
		if err := run(t.Context(), strings.Fields(args), &progress, &progress); !errors.Is(err, errBadOption) {
			t.Errorf("%s: %v, want %v", args, err, errBadOption)
		}
	}
}
