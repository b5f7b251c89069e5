package rig

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// file returns the path of a file or directory of the process in /proc.
func (p Process) file(name string) string { return fmt.Sprintf("/proc/%d/%s", p, name) }

// Figures reads the figures of a process. The ticks of /proc/PID/stat, 10 ms, would be too coarse for a server that
// uses a thousandth of a core.
func (p Process) Figures() (f Figures) {
	const cpuClockSched = 2 // CPUCLOCK_SCHED of the kernel
	var used unix.Timespec
	if unix.ClockGettime(int32(^int(p)<<3|cpuClockSched), &used) == nil {
		f.CPU = time.Duration(used.Nano())
	}
	status, _ := os.ReadFile(p.file("status"))
	for line := range strings.Lines(string(status)) {
		for name, to := range map[string]*int{"VmRSS:": &f.Memory, "VmHWM:": &f.Peak, "Threads:": &f.Threads} {
			if value, found := strings.CutPrefix(line, name); found {
				_, _ = fmt.Sscan(value, to)
			}
		}
	}
	files, _ := os.ReadDir(p.file("fd"))
	f.Files = len(files)
	return f
}

// ResetPeak makes the peak of the memory begin anew.
func (p Process) ResetPeak() { _ = os.WriteFile(p.file("clear_refs"), []byte("5"), 0) }
