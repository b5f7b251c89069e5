package rig

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Change replaces From by To in File of the standard library for one build of the program, for example to make its
// clock wrong. File is a path below GOROOT/src with slashes. From must occur there exactly once.
type Change struct{ File, From, To string }

// ShiftClock returns the change that adds shift to the wall clock. shift is a Go expression in seconds, and may use
// mono, the monotonic clock in nanoseconds, which does not change.
func ShiftClock(shift string) Change {
	const before, after = "\tsec, nsec, mono := runtimeNow()\n", "\tif mono == 0 {"
	return Change{File: "time/time.go", From: before + after, To: before + "\tsec += " + shift + "\n" + after}
}

// Build compiles the program with changes into dir, without symbols as in a release, and returns the path of the
// program.
func Build(ctx context.Context, dir string, changes ...Change) (binary string, err error) {
	list := ""
	if len(changes) > 0 {
		if list, err = Overlay(ctx, dir, changes...); err != nil {
			return "", err
		}
	}
	binary = filepath.Join(dir, "notakto")
	build := exec.CommandContext(ctx, "go", "build", "-overlay", list, "-ldflags", "-s -w", "-o", binary,
		"notakto/cmd/notakto")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return binary, nil
}

// Overlay writes the changed files to dir and returns the path of the overlay file for "go build". There may be one
// change for each file.
func Overlay(ctx context.Context, dir string, changes ...Change) (list string, err error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	replaced := map[string]string{}
	for n, c := range changes {
		original := filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(c.File))
		text, err := os.ReadFile(original)
		if err != nil {
			return "", err
		}
		if strings.Count(string(text), c.From) != 1 {
			return "", fmt.Errorf("this version of Go has another %s", c.File)
		}
		changed := filepath.Join(dir, fmt.Sprintf("changed%d.go", n))
		if err := os.WriteFile(changed, []byte(strings.Replace(string(text), c.From, c.To, 1)), 0o600); err != nil {
			return "", err
		}
		replaced[original] = changed
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	list = filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, text, 0o600)
}
