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
	"unicode/utf8"
)

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

// rows returns the first group of pattern in each line of a file with a match.
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

// A link must lead to a file and to a heading in the file. Lines of text have at most 120 characters. Lines of tables
// and commands may have more.
func TestLinksOfThePagesLead(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(top, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"} {
		pages = append(pages, filepath.Join(top, name))
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	found := 0
	for _, page := range pages {
		text := read(t, page)
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			found++
			name, heading, _ := strings.Cut(m[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: no file for the link %s", page, m[1])
			} else if heading != "" && !slices.Contains(headings(read(t, target)), heading) {
				t.Errorf("%s: no heading for the link %s", page, m[1])
			}
		}
		for line := range strings.Lines(text) {
			isText := !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "    ")
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); isText && n > 120 {
				t.Errorf("%s: a line of %d characters: %s", page, n, line)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d links are found", found)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// headings returns the headings of a page in the form of GitHub's link targets.
func headings(text string) (all []string) {
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
	for line := range strings.Lines(text) {
		if marks, title, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.Trim(marks, "#") == "" {
			title = strings.ToLower(dropped.ReplaceAllString(title, ""))
			all = append(all, strings.ReplaceAll(title, " ", "-"))
		}
	}
	return all
}
