package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// load returns the load average of the last minute.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}

// fileLimit returns the limit of open files.
func fileLimit() (uint64, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("read the limit of open files: %w", err)
	}
	return limit.Max, nil // the runtime raises the limit in force to this one
}
