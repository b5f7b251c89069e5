package bot

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tables of docs/bot.md name each verb, event and code that there is, and no other.
func TestProtocolIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/bot.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	codes := []string{internal}
	for _, c := range errorCodes {
		codes = append(codes, c.code)
	}
	for _, test := range []struct {
		what, section, pattern string
		want                   []string
	}{
		{"verb", "## What to say", `(?m)^\| .\{"do":"(\w+)"`, stringsIn(t, "dispatch.go", "handler")},
		{"event", "## What is said", `(?m)^    \{"event":"(\w+)"`, eventsIn(t)},
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

// firstColumn is the first cells of a table's rows, each code in a cell of its own.
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

// eventsIn are the events that the code sends.
func eventsIn(t *testing.T) (names []string) {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range files {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		inspect(t, entry.Name(), func(n ast.Node) {
			field, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return
			}
			key, isName := field.Key.(*ast.Ident)
			value, isText := field.Value.(*ast.BasicLit)
			if isName && isText && key.Name == "Event" {
				names = append(names, strings.Trim(value.Value, `"`))
			}
		})
	}
	return names
}

// stringsIn are the strings of a function's cases.
func stringsIn(t *testing.T, file, function string) (all []string) {
	t.Helper()
	inspect(t, file, func(n ast.Node) {
		f, ok := n.(*ast.FuncDecl)
		if !ok || f.Name.Name != function {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				for _, e := range c.List {
					all = append(all, strings.Trim(e.(*ast.BasicLit).Value, `"`))
				}
			}
			return true
		})
	})
	return all
}

func inspect(t *testing.T, file string, visit func(ast.Node)) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		visit(n)
		return true
	})
}
