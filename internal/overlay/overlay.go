// Package overlay changes lines of the standard library for one build of a program.
package overlay

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

// Change replaces text in one file of the standard library, where it must occur exactly once.
type Change struct{ File, From, To string }

// ErrOtherLibrary says that a change does not fit the standard library of this version of Go.
var ErrOtherLibrary = errors.New("this version of Go has another standard library")

// Write writes the changed files to a directory and returns the file that "go build -overlay" takes.
func Write(ctx context.Context, dir string, changes ...Change) (list string, err error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	replaced := map[string]string{}
	for n, c := range changes {
		original := filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(c.File))
		text, err := os.ReadFile(cmp.Or(replaced[original], original))
		if err != nil {
			return "", err
		}
		if strings.Count(string(text), c.From) != 1 {
			return "", fmt.Errorf("%w: %s", ErrOtherLibrary, c.File)
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
