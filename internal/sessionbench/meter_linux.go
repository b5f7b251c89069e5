package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

var errNoFigure = errors.New("the kernel does not say how much memory the process uses")

// residentBytes returns the resident memory (VmRSS) of a process.
func residentBytes(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		rest, found := strings.CutPrefix(line, "VmRSS:")
		if !found {
			continue
		}
		var kb int64
		_, err := fmt.Sscanf(rest, "%d kB", &kb)
		return kb << 10, err
	}
	return 0, errNoFigure
}

// cpuTime returns the CPU time of a process since its start, in user and in kernel mode. The function reads the
// process's CPU clock because the ticks of /proc/PID/stat are 10 ms, too coarse for a server that uses a thousandth
// of a core.
func cpuTime(pid int) (time.Duration, error) {
	const cpuClockSched = 2 // CPUCLOCK_SCHED of the kernel
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|cpuClockSched), &t); err != nil {
		return 0, fmt.Errorf("read the CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// load returns the load average of the last minute.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}

// raiseFileLimit raises the limit of open files to the hard limit, and returns that.
func raiseFileLimit() (uint64, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("read the limit of open files: %w", err)
	}
	limit.Cur = limit.Max
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("raise the limit of open files: %w", err)
	}
	return limit.Cur, nil
}
