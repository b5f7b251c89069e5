package main

import (
	"bufio"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/internal/testkit"
)

// startIn is for go test ./cmd/notakto -run '^$' -bench Start -start-in DIR,DIR. BenchmarkFill of match/journal fills
// such a directory.
var startIn = flag.String("start-in", "", "data directories in which BenchmarkStart starts the program, with commas")

var rest = flag.Duration("rest", 0, "how long the program of BenchmarkStart rests before its memory is read")

// BenchmarkStart measures the time until the program is ready, and its memory after the rest.
func BenchmarkStart(b *testing.B) {
	dirs := strings.Split(*startIn, ",")
	if *startIn == "" {
		dirs = []string{b.TempDir()}
	}
	for _, dir := range dirs {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			for b.Loop() {
				resident := startOnce(b, dir)
				b.ReportMetric(resident/1024, "MB")
			}
		})
	}
}

// startOnce starts the program, waits until it is ready and has rested, and stops it. The result is its memory in KB.
func startOnce(b *testing.B, dir string) float64 {
	cmd := exec.CommandContext(b.Context(), binary, "serve", "--data="+dir, "--listen=127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	testkit.OK(b, err)
	testkit.OK(b, cmd.Start())
	lines := bufio.NewScanner(stderr)
	for lines.Scan() && !strings.Contains(lines.Text(), "ready") {
	}
	b.StopTimer()
	defer b.StartTimer()
	<-time.After(*rest)
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(cmd.Process.Pid), "status"))
	if err != nil {
		b.Skip("memory is read on Linux only")
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	resident, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	testkit.OK(b, err)
	testkit.OK(b, cmd.Process.Signal(syscall.SIGTERM))
	for lines.Scan() { // until it has stopped
	}
	testkit.OK(b, cmd.Wait())
	return resident
}
