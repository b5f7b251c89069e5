//go:build hostile

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// amendment is a line of the standard library as it has to be for a while.
type amendment struct{ file, from, to string }

// amendments make a machine of changing moods: every twenty minutes its clock leaps an hour ahead, and in the minute before that its disk takes
// its time, so that a good deal is on its way then. What measures durations is left as it is, for a clock that is set leaves it alone as well.
// No leap leads back: the journal's server remembers what it was sent for two minutes by that clock, and would remember it for an hour more.
var amendments = [...]amendment{
	{"time/time.go", "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {",
		"\tsec, nsec, mono := runtimeNow()\n\tsec += mono / 1200e9 * 3600\n\tif mono == 0 {"},
	{"internal/poll/fd_fsync_posix.go", "import \"syscall\"", "import (\n\t\"syscall\"\n\t\"time\"\n)"},
	{"internal/poll/fd_fsync_posix.go", "return syscall.Fsync(fd.Sysfd)",
		"if runtimeNano()/60e9%20 == 19 {\n\t\t\ttime.Sleep(20 * time.Millisecond)\n\t\t}\n\t\treturn syscall.Fsync(fd.Sysfd)"},
}

var errOtherLibrary = errors.New("this version of Go has another standard library")

// overlay writes the amended files to a directory, and the list of them that the compiler takes.
func overlay(ctx context.Context, dir string) (list string, err error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	replaced := map[string]string{}
	for n, a := range amendments {
		original := filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(a.file))
		text, err := os.ReadFile(cmp.Or(replaced[original], original))
		if err != nil {
			return "", err
		}
		if strings.Count(string(text), a.from) != 1 {
			return "", fmt.Errorf("%w: %s", errOtherLibrary, a.file)
		}
		amended := filepath.Join(dir, fmt.Sprintf("amended%d.go", n))
		if err := os.WriteFile(amended, []byte(strings.Replace(string(text), a.from, a.to, 1)), 0o600); err != nil {
			return "", err
		}
		replaced[original] = amended
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	list = filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, text, 0o600)
}
