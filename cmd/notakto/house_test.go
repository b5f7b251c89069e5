package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const top = "../.."

// room is what the files of a package may import beside the standard library: rooms of the house, and modules from outside by the
// beginning of their paths. A star stands for every room.
type room struct{ house, modules []string }

// rooms are docs/architecture.md's table. The command and what is internal, tools and helpers of tests, may
// import everything.
func rooms() map[string]room {
	terminal := []string{"charm.land/", "github.com/charmbracelet/", "github.com/clipperhouse/", "github.com/rivo/uniseg", "golang.org/x/"}
	return map[string]room{
		"rules":          {},
		"rules/strategy": {house: []string{"rules"}},
		"rules/classic":  {house: []string{"rules", "rules/strategy"}},
		"match":          {house: []string{"rules", "rules/strategy"}, modules: []string{"golang.org/x/time/"}},
		"match/journal": {
			house:   []string{"match", "rules", "rules/strategy"},
			modules: []string{"github.com/nats-io/", "golang.org/x/sys/"},
		},
		"match/journaltest": {house: []string{"match", "rules", "rules/strategy"}},
		"hostkeys":          {modules: []string{"golang.org/x/crypto/"}},
		"sshapp/frame":      {modules: terminal},
		"sshapp/idle":       {},
		"sshapp/start":      {house: []string{"match", "rules", "rules/strategy"}},
		"sshapp/tui":        {house: []string{"match", "rules", "rules/strategy", "sshapp/start"}, modules: terminal},
		"sshapp/plain": {
			house:   []string{"match", "rules", "rules/strategy", "sshapp/idle", "sshapp/start"},
			modules: []string{"golang.org/x/time/"},
		},
		"sshapp/bot": {
			house:   []string{"match", "rules", "rules/strategy", "sshapp/idle"},
			modules: []string{"golang.org/x/time/"},
		},
		"sshapp/command": {
			house:   []string{"match", "rules", "rules/strategy", "rules/classic", "sshapp/idle", "sshapp/start", "sshapp/plain", "sshapp/bot"},
			modules: []string{"github.com/spf13/"},
		},
		"sshapp": {
			house:   []string{"match", "rules", "rules/strategy", "hostkeys", "sshapp/frame", "sshapp/idle", "sshapp/start", "sshapp/tui", "sshapp/bot", "sshapp/command"},
			modules: append(terminal, "github.com/anmitsu/go-shlex", "github.com/pires/go-proxyproto", "go.mau.fi/util/confusable"),
		},
	}
}

func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	for name, file := range source(t) {
		seen[path.Dir(name)] = true
		for _, fault := range faults(name, file) {
			t.Error(fault)
		}
	}
	for name := range rooms() {
		if !seen[name] {
			t.Errorf("nobody lives in %s", name)
		}
	}
}

// The checks themselves find what they are for.
func TestFaultsAreFound(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"rules/a.go", `import "notakto/match"`, "may not import notakto/match"},
		{"rules/a.go", `import "golang.org/x/sync/errgroup"`, "may not import golang.org/x"},
		{"match/a.go", `import "charm.land/log/v2"`, "may not import charm.land/log/v2"},
		{"match/a.go", `import "notakto/sshapp/tui"`, "may not import notakto/sshapp/tui"},
		{"sshapp/tui/a.go", `import "notakto/sshapp"`, "may not import notakto/sshapp"},
		{"sshapp/a.go", `import "github.com/nats-io/nats.go"`, "may not import github.com/nats-io"},
		{"cmd/x/a.go", `import "github.com/nats-io/nats.go"`, "only match/journal knows NATS"},
		{"cmd/x/a.go", `func init() {}`, "has an init function"},
		{"cellar/a.go", ``, "no room of the house"},
		{"match/a.go", `func f() { go f() }`, "starts a goroutine"},
		{"sshapp/a.go", "import \"charm.land/bubbletea/v2\"\nfunc f(p *tea.Program) { p.Send(nil) }", "sends to a program"},
		{"sshapp/game.go", "import \"charm.land/bubbletea/v2\"\nfunc f(p *tea.Program) { go p.Send(nil) }", ""},
		{"cmd/x/a.go", `func f() { go f() }`, ""},
		{"rules/a.go", `import ("fmt"; "math/rand/v2")`, ""},
		{"sshapp/a.go", `import ("notakto/match"; "charm.land/wish/v2")`, ""},
		{"cmd/x/a.go", "import \"notakto/sshapp\"\ntype t int\nfunc (t) init() {}", ""},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), test.name, "package a\n"+test.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(faults(test.name, file), "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s with %q: the fault is %q, want %q", test.name, test.text, got, test.want)
		}
	}
}

// Lip Gloss's compat package asks the server's own terminal for its colours when it is imported, by whomever.
func TestNobodyImportsLipglossCompat(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./...")
	cmd.Dir = top
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Fields(string(out))
	if !slices.Contains(all, "charm.land/lipgloss/v2") {
		t.Error("the list does not even hold Lip Gloss")
	}
	for _, p := range all {
		if strings.Contains(p, "lipgloss") && strings.HasSuffix(p, "/compat") {
			t.Errorf("%s is in the program", p)
		}
	}
}

func TestMainIsShort(t *testing.T) {
	text, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n >= 40 {
		t.Errorf("main.go has %d lines", n)
	}
}

// source is every Go file of the product that is no test, by its path from the top.
func source(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(top, func(p string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(top, p)
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && p != top && (strings.HasPrefix(base, ".") || base == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		files[filepath.ToSlash(name)] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func faults(name string, file *ast.File) (all []string) {
	here, ok := rooms()[path.Dir(name)]
	isTool := strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "internal/")
	if isTool {
		here, ok = room{house: []string{"*"}, modules: []string{""}}, true
	}
	if !ok {
		return []string{name + " is in no room of the house"}
	}
	for _, spec := range file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		if !here.mayImport(p) {
			all = append(all, fmt.Sprintf("%s may not import %s", name, p))
		}
		if strings.HasPrefix(p, "github.com/nats-io/") && path.Dir(name) != "match/journal" && name != "internal/chaos/nats_node.go" {
			all = append(all, name+" imports NATS, and only match/journal knows NATS")
		}
	}
	if !isTool {
		all = append(all, strayed(name, file)...)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			all = append(all, name+" has an init function")
		}
	}
	return all
}

// A goroutine of the house has an owner who waits for it and contains its panics: match and match/journal start theirs by a WaitGroup's Go.
// These files start some that end with a connection or a session, and what they run cannot panic, or contains it itself.
var starters = [...]string{
	"sshapp/backlog.go", "sshapp/bot/session.go", "sshapp/command/input.go", "sshapp/crew.go", "sshapp/extended_data.go", "sshapp/game.go",
	"sshapp/plain/door.go", "sshapp/readahead.go", "sshapp/waiting.go",
}

// sender is the only file that sends to a program of Bubble Tea's: what it runs on knows when the program has ended.
const sender = "sshapp/game.go"

// strayed are the goroutines and the messages to programs that begin where they should not.
func strayed(name string, file *ast.File) (all []string) {
	tea := slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return strings.Contains(i.Path.Value, "/bubbletea/") })
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !slices.Contains(starters[:], name) {
				all = append(all, name+" starts a goroutine that nobody waits for")
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && tea && f.Sel.Name == "Send" && name != sender {
				all = append(all, name+" sends to a program, which only "+sender+" may")
			}
		}
		return true
	})
	return all
}

func (r room) mayImport(p string) bool {
	if local, ok := strings.CutPrefix(p, "notakto/"); ok {
		return slices.Contains(r.house, local) || slices.Contains(r.house, "*")
	}
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".") || slices.ContainsFunc(r.modules, func(m string) bool { return strings.HasPrefix(p, m) })
}
