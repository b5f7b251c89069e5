//go:build attack

package main

import "notakto/internal/overlay"

// amendments simulate an unsteady machine: every twenty minutes its clock jumps an hour ahead, and in the minute before
// that its disk is slow, so that many writes are pending then. Measured durations do not change, as when a clock is
// set. No jump goes back: the journal's server remembers messages for two minutes by that clock, and would remember
// them for an hour more.
var amendments = [...]overlay.Change{
	{File: "time/time.go", From: "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {",
		To: "\tsec, nsec, mono := runtimeNow()\n\tsec += mono / 1200e9 * 3600\n\tif mono == 0 {"},
	{File: "internal/poll/fd_fsync_posix.go", From: "import \"syscall\"", To: "import (\n\t\"syscall\"\n\t\"time\"\n)"},
	{File: "internal/poll/fd_fsync_posix.go", From: "return syscall.Fsync(fd.Sysfd)",
		To: "if runtimeNano()/60e9%20 == 19 {\n\t\t\ttime.Sleep(20 * time.Millisecond)\n\t\t}\n\t\treturn " +
			"syscall.Fsync(fd.Sysfd)"},
}
