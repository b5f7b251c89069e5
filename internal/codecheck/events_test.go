package codecheck

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

var update = flag.Bool("update", false, "renew the table of the events of the log")

// varies stands for a level that the code computes.
const varies = "varies"

type logged struct {
	file, level, message, event string
}

// Every call that logs must have an event as its first field.
func TestEventsOfTheLogAreDescribed(t *testing.T) {
	events := map[string][]string{} // by level
	for name, file := range source(t) {
		if strings.HasPrefix(name, "internal/") {
			continue
		}
		for _, call := range logCalls(name, file) {
			if call.event == "" {
				t.Errorf("%s: the line %q has no event, or not as its first field", call.file, call.message)
				continue
			}
			events[call.level] = append(events[call.level], "`"+call.event+"`")
		}
	}
	var b strings.Builder
	b.WriteString("| level | events |\n|---|---|\n")
	for _, level := range []string{"error", "warn", "info", "debug", varies} {
		slices.Sort(events[level])
		fmt.Fprintf(&b, "| %s | %s |\n", level, strings.Join(slices.Compact(events[level]), ", "))
	}
	const begin, end = "<!-- events: made by go test ./internal/codecheck -update -->\n\n", "\n<!-- end of events -->\n"
	path := filepath.Join(top, "docs/log.md")
	page, err := os.ReadFile(path)
	testkit.OK(t, err)
	head, rest, found := bytes.Cut(page, []byte(begin))
	_, tail, ended := bytes.Cut(rest, []byte(end))
	if !found || !ended {
		t.Fatalf("%s has no part between %q and %q", path, begin, end)
	}
	want := string(head) + begin + b.String() + end + string(tail)
	if *update {
		testkit.OK(t, os.WriteFile(path, []byte(want), 0o644))
	} else if string(page) != want {
		t.Errorf("%s is not up to date: go test ./internal/codecheck -update", path)
	}
}

// logCalls returns the calls of a file that write to the log. A call is found by the word log in the receiver's name.
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
			level, args = varies, args[min(2, len(args)):]
		default:
			return true
		}
		if len(args) == 0 {
			return true
		}
		found := logged{file: name, level: level, message: textOf(args[0])}
		fields := args[1:]
		if len(fields) == 1 { // such as append([]any{"event", ...
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

// lastName returns the last name of an expression, such as log of a.b.log and a.log().
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

// textOf returns the text of a string literal or of literals joined by +, otherwise "".
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			if err != nil {
				panic(fmt.Sprint(e.Value, err)) // the parser accepted the literal
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
