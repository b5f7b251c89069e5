package bot

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/sshapp/bot/botproto"
)

// The tables of docs/bot.md name every verb, event and code, and no others.
func TestProtocolIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/bot.md")
	testkit.OK(t, err)
	page := string(text)
	source, err := os.ReadFile("botproto/messages.go")
	testkit.OK(t, err)
	var codes []string
	for _, m := range regexp.MustCompile(`ErrorCode = "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1) {
		codes = append(codes, m[1])
	}
	testkit.Equal(t, len(codes), len(botproto.Codes()), botproto.Codes(), codes)
	var verbs []string
	for _, do := range botproto.Verbs() {
		verbs = append(verbs, string(do))
	}
	for _, test := range []struct {
		what, section, pattern string
		want                   []string
	}{
		{"verb", "## What to say", `(?m)^\| .\{"do":"(\w+)"`, verbs},
		{"event", "## What is said", `(?m)^    \{"event":"(\w+)"`, botproto.EventNames()},
		{"code", "## Errors", "`([a-z_]+)`[^|]*\\|", codes},
	} {
		_, section, _ := strings.Cut(page, test.section)
		section, _, _ = strings.Cut(section, "\n## ")
		if test.what == "code" {
			section = firstColumn(section)
		}
		var got []string
		for _, m := range regexp.MustCompile(test.pattern).FindAllStringSubmatch(section, -1) {
			got = append(got, m[1])
		}
		for _, name := range test.want {
			if !slices.Contains(got, name) {
				t.Errorf("docs/bot.md has no %s %q", test.what, name)
			}
		}
		for _, name := range got {
			if !slices.Contains(test.want, name) {
				t.Errorf("docs/bot.md has the %s %q, which is not there", test.what, name)
			}
		}
	}
}

// firstColumn returns the first cells of a table, one code a cell.
func firstColumn(section string) string {
	var cells []string
	for line := range strings.Lines(section) {
		if cell, isRow := strings.CutPrefix(line, "| `"); isRow {
			first, _, _ := strings.Cut(cell, "|")
			cells = append(cells, strings.ReplaceAll("`"+first, ", ", "|")+"|")
		}
	}
	return strings.Join(cells, "\n")
}
