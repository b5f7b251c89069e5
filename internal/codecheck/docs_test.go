package codecheck

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"notakto/internal/testkit"
)

func TestDependenciesAreNamed(t *testing.T) {
	var want []string
	for _, file := range []string{"go.mod", ".ci/tools/go.mod", ".ci/tools/nfpm/go.mod"} {
		out, err := exec.Command("go", "mod", "edit", "-json", filepath.Join(top, file)).Output()
		testkit.OK(t, err)
		var mod struct {
			Require []struct {
				Path     string
				Indirect bool
			}
			Tool []struct{ Path string }
		}
		testkit.OK(t, json.Unmarshal(out, &mod))
		for _, r := range mod.Require {
			if !r.Indirect {
				want = append(want, r.Path)
			}
		}
		for _, tool := range mod.Tool {
			want = append(want, tool.Path)
		}
	}
	const page = "docs/dependencies.md"
	var got []string
	row := regexp.MustCompile(`(?m)^\| \x60([a-z0-9.]+/\S+)\x60 \|`)
	for _, m := range row.FindAllStringSubmatch(read(t, filepath.Join(top, page)), -1) {
		got = append(got, m[1])
	}
	for _, name := range slices.Concat(want, got) {
		if slices.Contains(want, name) != slices.Contains(got, name) {
			t.Errorf("%s and the go.mod files differ by %s", page, name)
		}
	}
}

// A link must lead to a file and to a heading in the file. Lines of text have at most 120 characters. Lines of tables
// and commands may have more.
func TestLinksOfThePagesLead(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(top, "docs/*.md"))
	testkit.OK(t, err)
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

// The pages name tests and files in backquotes. docs/testing.md names each script that checks something.
func TestTestsOfThePagesExist(t *testing.T) {
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	err := filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, m := range function.FindAllStringSubmatch(read(t, path), -1) {
			declared[m[1]] = true
		}
		return nil
	})
	testkit.OK(t, err)
	pages, err := filepath.Glob(filepath.Join(top, "docs/*.md"))
	testkit.OK(t, err)
	named := regexp.MustCompile("`((?:Test|Fuzz|Benchmark)\\w+)`")
	file := regexp.MustCompile("`(\\.ci/[\\w/.-]+|(?:internal|match|sshapp|rules|cmd|hostkeys)(?:/[\\w.-]+)+)`")
	found := 0
	for _, page := range append(pages, filepath.Join(top, "CONTRIBUTING.md")) {
		for _, m := range named.FindAllStringSubmatch(read(t, page), -1) {
			if found++; !declared[m[1]] {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
		for _, m := range file.FindAllStringSubmatch(read(t, page), -1) {
			if _, err := os.Stat(filepath.Join(top, strings.TrimSuffix(m[1], "/..."))); err != nil {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d names of tests are found", found)
	}
	scripts, err := filepath.Glob(filepath.Join(top, ".ci/*"))
	testkit.OK(t, err)
	more, err := filepath.Glob(filepath.Join(top, ".ci/e2e/*.sh"))
	testkit.OK(t, err)
	if len(more) == 0 {
		t.Fatal("there are no scripts")
	}
	overview := read(t, filepath.Join(top, "docs/testing.md"))
	for _, script := range append(scripts, more...) {
		name := strings.TrimPrefix(filepath.ToSlash(script), top+"/")
		if stat, err := os.Stat(script); err == nil && stat.Mode().IsRegular() && name != ".ci/release" &&
			!strings.Contains(overview, "`"+name+"`") {
			t.Errorf("docs/testing.md does not name %s", name)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	testkit.OK(t, err)
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
