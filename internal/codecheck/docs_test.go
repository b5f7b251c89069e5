package codecheck

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every direct requirement and tool has its row in docs/dependencies.md, and nothing else has one.
func TestDependenciesAreNamed(t *testing.T) {
	var want []string
	for _, file := range []string{"go.mod", ".ci/tools/go.mod", ".ci/tools/nfpm/go.mod"} {
		out, err := exec.Command("go", "mod", "edit", "-json", filepath.Join(top, file)).Output()
		if err != nil {
			t.Fatal(err)
		}
		var mod struct {
			Require []struct {
				Path     string
				Indirect bool
			}
			Tool []struct{ Path string }
		}
		if err := json.Unmarshal(out, &mod); err != nil {
			t.Fatal(err)
		}
		for _, r := range mod.Require {
			if !r.Indirect {
				want = append(want, r.Path)
			}
		}
		for _, tool := range mod.Tool {
			want = append(want, tool.Path)
		}
	}
	same(t, "docs/dependencies.md", rows(t, "docs/dependencies.md", `^\| \x60([a-z0-9.]+/\S+)\x60 \|`), want)
}

// rows returns the first groups of a pattern in the lines of a file.
func rows(t *testing.T, name, pattern string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(pattern)
	for line := range strings.Lines(string(text)) {
		if m := row.FindStringSubmatch(line); m != nil {
			found = append(found, m[1])
		}
	}
	return found
}

func same(t *testing.T, name string, got, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s has no row for %s", name, w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("%s has a row for %s, which is not there", name, g)
		}
	}
}
