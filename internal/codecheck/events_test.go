package codecheck

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "renew the table of the events of the log")

// logged is one call that writes a line of the log.
type logged struct {
	file, level, message, event string
}

// The page of the log has every event, and every line of the log has one.
func TestEventsOfTheLogAreDescribed(t *testing.T) {
	rows := map[string][]string{}  // of the table, by event
	quiet := map[string][]string{} // events in the order of their names, by level; the page has no text of them
	for name, file := range source(t) {
		if strings.HasPrefix(name, "internal/") {
			continue
		}
		for _, call := range logCalls(name, file) {
			if call.event == "" {
				t.Errorf("%s: the line %q has no event, or not as its first field", call.file, call.message)
				continue
			}
			word := "`" + call.event + "`"
			if call.level == "info" || call.level == "debug" {
				quiet[call.level] = append(quiet[call.level], word)
				continue
			}
			row := "| " + word + " | " + call.level + " | " + call.message + " |\n"
			if !slices.Contains(rows[call.event], row) {
				rows[call.event] = append(rows[call.event], row)
			}
		}
	}
	var b strings.Builder
	b.WriteString("| event | level | text |\n|---|---|---|\n")
	for _, event := range slices.Sorted(maps.Keys(rows)) {
		slices.Sort(rows[event])
		b.WriteString(strings.Join(rows[event], ""))
	}
	for _, level := range []string{"info", "debug"} {
		slices.Sort(quiet[level])
		fmt.Fprintf(&b, "| %s | %s | |\n", strings.Join(slices.Compact(quiet[level]), ", "), level)
	}
	const begin, end = "<!-- events: made by go test ./internal/codecheck -update -->\n\n", "\n<!-- end of events -->\n"
	path := filepath.Join(top, "docs/log.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := bytes.Cut(page, []byte(begin))
	_, tail, ended := bytes.Cut(rest, []byte(end))
	if !found || !ended {
		t.Fatalf("%s has no part between %q and %q", path, begin, end)
	}
	want := string(head) + begin + b.String() + end + string(tail)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(page) != want {
		t.Errorf("%s is not up to date: go test ./internal/codecheck -update", path)
	}
}

// logCalls returns the calls of a file that write a line of the log.
func logCalls(name string, file *ast.File) (all []logged) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !strings.Contains(strings.ToLower(lastName(f.X)), "log") {
			return true
		}
		level, args := strings.ToLower(f.Sel.Name), call.Args
		switch f.Sel.Name {
		case "Info", "Warn", "Error", "Debug":
		case "Log":
			level, args = "varies", args[min(2, len(args)):]
		default:
			return true
		}
		if len(args) == 0 {
			return true
		}
		found := logged{file: name, level: level, message: textOf(args[0])}
		fields := args[1:]
		if len(fields) == 1 { // append([]any{"event", ...
			ast.Inspect(fields[0], func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					fields = append(fields, n.Elts...)
				case *ast.CallExpr:
					fields = append(fields, n.Args...)
				}
				return true
			})
		}
		for i := 0; i+1 < len(fields); i++ {
			if textOf(fields[i]) == "event" {
				found.event = textOf(fields[i+1])
			}
		}
		all = append(all, found)
		return true
	})
	return all
}

// lastName returns the last name of an expression: log of a.b.log and of a.log().
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return lastName(e.Fun)
	}
	return ""
}

// textOf returns a text that may be joined from several; empty if it is none.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			if err != nil {
				panic(fmt.Sprint(e.Value, err)) // it was parsed
			}
			return text
		}
	case *ast.BinaryExpr:
		if a, b := textOf(e.X), textOf(e.Y); a != "" && b != "" {
			return a + b
		}
	}
	return ""
}
