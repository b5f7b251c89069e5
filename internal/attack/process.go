//go:build attack

package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// process is a running process, as Linux shows it in /proc.
type process int

// tick is the unit of processor times in /proc.
const tick = 10 * time.Millisecond

func (p process) file(name string) string { return fmt.Sprintf("/proc/%d/%s", p, name) }

// cpu returns the processor time used so far.
func (p process) cpu() time.Duration {
	text, err := os.ReadFile(p.file("stat"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}

// cores returns how many processors it uses, measured over a time.
func (p process) cores(lasting time.Duration) float64 {
	begun, before := time.Now(), p.cpu()
	<-time.After(lasting)
	return (p.cpu() - before).Seconds() / time.Since(begun).Seconds()
}

// status returns a number of /proc/PID/status; -1 if there is none.
func (p process) status(name string) int {
	text, _ := os.ReadFile(p.file("status"))
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, name+":"); found {
			n, _ := strconv.Atoi(strings.Fields(value)[0])
			return n
		}
	}
	return -1
}

// memory returns the resident memory of the process, in KB.
func (p process) memory() int { return p.status("VmRSS") }

// peak returns the peak of its memory since the last forget, in KB.
func (p process) peak() int { return p.status("VmHWM") }

// forget resets the peak.
func (p process) forget() { _ = os.WriteFile(p.file("clear_refs"), []byte("5"), 0) }

// files returns the number of open descriptors.
func (p process) files() int {
	all, _ := os.ReadDir(p.file("fd"))
	return len(all)
}

// listening returns the addresses on which the process listens, by TCP over IPv4.
func (p process) listening() (addresses []string) {
	own := map[string]bool{} // the process's sockets, by their inodes
	files, _ := os.ReadDir(p.file("fd"))
	for _, file := range files {
		link, _ := os.Readlink(p.file("fd/" + file.Name()))
		own[strings.TrimSuffix(strings.TrimPrefix(link, "socket:["), "]")] = true
	}
	text, _ := os.ReadFile(p.file("net/tcp"))
	for line := range strings.Lines(string(text)) {
		const listens, state, inode = "0A", 3, 9
		var a, b, c, d, port int
		fields := strings.Fields(line)
		if len(fields) <= inode || fields[state] != listens || !own[fields[inode]] {
			continue
		}
		if _, err := fmt.Sscanf(fields[1], "%02X%02X%02X%02X:%X", &d, &c, &b, &a, &port); err == nil {
			addresses = append(addresses, fmt.Sprintf("%d.%d.%d.%d:%d", a, b, c, d, port))
		}
	}
	return addresses
}

func (p process) threads() int { return p.status("Threads") }
