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

// residentBytes returns the memory of a process that is in RAM (VmRSS).
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

// cpuTime returns the CPU that a process has used since its start, in user and in kernel mode. The process's own clock
// is read because the ticks of /proc/PID/stat are 10 ms, too coarse for a server that uses a thousandth of a core.
func cpuTime(pid int) (time.Duration, error) {
	const cpuClockSched = 2 // the kernel's CPUCLOCK_SCHED
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|cpuClockSched), &t); err != nil {
		return 0, fmt.Errorf("read the CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// machineTime returns the CPU that the whole machine has used since its start, in ticks of 10 ms. Time that a
// hypervisor gave to other machines counts as used: it is missing here too.
func machineTime() (time.Duration, error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	var user, nice, system, idle, wait, irq, softirq, stolen int64
	_, err = fmt.Sscanf(string(stat), "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &wait, &irq,
		&softirq, &stolen)
	if err != nil {
		return 0, fmt.Errorf("read the machine's CPU time: %w", err)
	}
	return time.Duration(user+nice+system+irq+softirq+stolen) * 10 * time.Millisecond, nil
}

// raiseFileLimit raises the limit of open files to its maximum and returns it.
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
