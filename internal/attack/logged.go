//go:build attack

package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxLogged is the longest line of the log.
const maxLogged = 1024

// logFaults returns the log lines that no client may cause: panics, errors, and lines that are not the server's own.
func (s *server) logFaults() (faults []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.log {
		switch {
		case strings.HasPrefix(line, "SIGQUIT"):
			return faults
		case !strings.HasPrefix(line, "time="):
			faults = append(faults, fmt.Sprintf("a line that is none of the log's: %.80q", line))
		case strings.HasPrefix(afterTime(line), "level=error") && !s.errors:
			faults = append(faults, fmt.Sprintf("the log: %.200s", line))
		case len(line) > maxLogged:
			faults = append(faults, fmt.Sprintf("a line of %d bytes in the log", len(line)))
		case !utf8.ValidString(line) || strings.ContainsFunc(line, forbidden):
			faults = append(faults, fmt.Sprintf("the log has %.200q", line))
		}
	}
	return faults
}

func afterTime(line string) string {
	_, rest, _ := strings.Cut(line, " ")
	return rest
}

// forbidden reports whether a character can control a terminal or hide on it.
func forbidden(r rune) bool {
	switch {
	case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	}
	return false
}
