package codecheck

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxLine is the most characters of a line of Go, of which a tab is one.
const maxLine = 120

func TestNoLineIsTooLong(t *testing.T) {
	for _, name := range goFiles(t) {
		for n, line := range longLines(read(t, name)) {
			t.Errorf("%s:%d: break this line, it is over %d characters: %.40s…", name, n, maxLine, strings.TrimSpace(line))
		}
	}
}

// longLines returns the lines of a text over the limit, by their numbers.
func longLines(text string) map[int]string {
	long, n := map[int]string{}, 0
	for line := range strings.Lines(text) {
		if n++; utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > maxLine {
			long[n] = line
		}
	}
	return long
}

// vague finds words that do not say who acts, or say it in a picture. A reader asks of each: which player, which
// client?
var vague = regexp.MustCompile(
	`(?i)\b(nobody|anybody|somebody|whoever|whom|whomever|likewise|meanwhile|house|crew|pens?)\b`)

// mayBeVague are the files that hold such words for this check, for players' names and for [rules.Nobody].
var mayBeVague = [...]string{
	"internal/codecheck/prose_test.go", "internal/codecheck/words_test.go", "rules/outcome.go", "rules/side.go",
	"sshapp/names/reserved.go", "sshapp/names/reserved_test.go",
}

// Comments, messages and documents name who acts.
func TestProseNamesWhoActs(t *testing.T) {
	files := append(goFiles(t), documents(t)...)
	for _, name := range files {
		text := read(t, name)
		for _, exempt := range mayBeVague {
			if name == exempt {
				text = ""
			}
		}
		for n, word := range vagueWords(text) {
			t.Errorf("%s:%d: name who acts, or say it plainly: %q", name, n, word)
		}
	}
	if len(files) < 100 {
		t.Errorf("only %d files were read", len(files))
	}
}

// vagueWords returns the first such word of each line that has one, by the lines' numbers.
func vagueWords(text string) map[int]string {
	found, n := map[int]string{}, 0
	for line := range strings.Lines(strings.ReplaceAll(text, "rules.Nobody", "")) {
		n++
		if word := vague.FindString(line); word != "" {
			found[n] = word
		}
	}
	return found
}

// The checks find what they are for.
func TestLongLinesAndVagueWordsAreFound(t *testing.T) {
	long := "\t" + strings.Repeat("é", maxLine)
	if got := longLines(long[1:] + "\n" + long + "\n"); len(got) != 1 || got[2] != long+"\n" {
		t.Errorf("long lines: %v", got)
	}
	text := "// Nobody comes.\nif turn == rules.Nobody {\nthe household\nWhoever comes\n"
	if got := vagueWords(text); len(got) != 2 || got[1] != "Nobody" || got[4] != "Whoever" {
		t.Errorf("vague words: %v", got)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documents returns the paths of all Markdown files from the top.
func documents(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(top, func(p string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(p, ".md") {
			var name string
			name, err = filepath.Rel(top, p)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
