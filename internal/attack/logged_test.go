//go:build attack

package main

import (
	"strings"
	"testing"
)

func TestFaultsOfTheLogAreFound(t *testing.T) {
	for _, test := range []struct {
		line  string
		fault bool
	}{
		{`time=2026-11-21T18:00:00Z level=info msg="session began" name="level=error msg=panic"`, false},
		{`time=2026-11-21T18:00:00Z level=error msg="session ended by a panic"`, true},
		{`panic: runtime error`, true},
		{"time=2026-11-21T18:00:00Z level=info name=\x1b[2J", true},
		{"time=2026-11-21T18:00:00Z level=info name=\u202eevil", true},
		{"time=2026-11-21T18:00:00Z level=info name=\xff", true},
		{"time=2026-11-21T18:00:00Z level=info name=" + strings.Repeat("a", maxLogged), true},
	} {
		s := &server{log: []string{test.line, "SIGQUIT: quit", "goroutine 1 [running]:"}}
		if got := s.logFaults(); (len(got) > 0) != test.fault {
			t.Errorf("%.80q: %q", test.line, got)
		}
	}
}

func TestOrders(t *testing.T) {
	if all := orders(3, 2); len(all) != 9 {
		t.Errorf("%v", all)
	}
	if all := distinct(4, 3); len(all) != 24 {
		t.Errorf("%v", all)
	}
}
