package codecheck

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

// imports is what the files of a package may import beside the standard library: packages of this module, and modules
// from outside by the beginning of their paths. A star stands for every package.
type imports struct{ local, modules []string }

// allowedImports returns docs/architecture.md's table. The command and what is internal, tools and helpers of tests,
// may import everything.
func allowedImports() map[string]imports {
	terminal := []string{
		"charm.land/", "github.com/charmbracelet/", "github.com/clipperhouse/", "github.com/rivo/uniseg", "golang.org/x/",
	}
	return map[string]imports{
		"rules":          {},
		"rules/strategy": {local: []string{"rules"}},
		"rules/opening":  {local: []string{"rules", "rules/strategy"}},
		"rules/classic":  {local: []string{"rules", "rules/strategy"}},
		"match":          {local: []string{"rules", "rules/opening", "rules/strategy"}},
		"match/account":  {local: []string{"match", "match/limit"}},
		"match/history": {
			local: []string{"match", "match/rating", "rules", "rules/strategy"}, modules: []string{"modernc.org/sqlite"},
		},
		"match/limit":  {local: []string{"match"}, modules: []string{"golang.org/x/time/"}},
		"match/rating": {},
		"match/stats":  {},
		"match/lobby":  {local: []string{"match", "match/limit", "match/stats", "rules"}},
		"match/manager": {
			local: []string{"match", "match/limit", "match/lobby", "match/stats", "rules", "rules/strategy"},
		},
		"match/journal": {
			local: []string{
				"match", "match/account", "match/journal/internal/blocks", "match/journal/internal/codec",
				"match/journal/internal/disk",
				"match/journal/natsd", "match/stats", "rules",
			},
			modules: []string{"github.com/nats-io/", "github.com/synadia-io/orbit.go/jetstreamext"},
		},
		"match/journal/natsd": {
			local:   []string{"match", "match/journal/internal/blocks", "match/journal/internal/disk"},
			modules: []string{"github.com/klauspost/compress/s2", "github.com/nats-io/"},
		},
		"match/journal/internal/blocks": {local: []string{"match/journal/internal/disk"}},
		"match/journal/internal/codec":  {local: []string{"match", "rules", "rules/strategy"}},
		"match/journal/internal/disk":   {modules: []string{"golang.org/x/sys/"}},
		"match/journaltest":             {local: []string{"match", "match/account", "rules", "rules/strategy"}},
		"hostkeys":                      {modules: []string{"golang.org/x/crypto/"}},
		"sshapp/render":                 {modules: terminal},
		"sshapp/idle":                   {},
		"sshapp/names": {
			local:   []string{"match", "rules/strategy"},
			modules: []string{"charm.land/ssh", "github.com/charmbracelet/x/ansi", "go.mau.fi/util/confusable", "golang.org/x/"},
		},
		"sshapp/keys": {modules: []string{"github.com/charmbracelet/ultraviolet", "golang.org/x/time/"}},
		"sshapp/terminal": {
			modules: []string{"charm.land/ssh", "github.com/charmbracelet/colorprofile", "golang.org/x/crypto/"},
		},
		"sshapp/lineedit": {},
		"sshapp/sshfix":   {modules: []string{"golang.org/x/crypto/"}},
		"sshapp/wording": {
			local:   []string{"match", "match/history", "rules", "rules/strategy", "sshapp/bot/botproto"},
			modules: []string{"github.com/spf13/cobra"},
		},
		"sshapp/limit": {
			local: []string{"match", "match/stats"}, modules: []string{"golang.org/x/time/"},
		},
		"sshapp/client": {
			local: []string{"match", "match/history", "match/lobby", "match/manager", "rules", "rules/strategy"},
		},
		"sshapp/start": {local: []string{"match", "rules", "rules/strategy"}},
		"sshapp/tui": {
			local: []string{
				"match", "match/account", "match/history", "match/lobby", "match/manager", "rules", "rules/strategy",
				"sshapp/client", "sshapp/render", "sshapp/start", "sshapp/tui/draw", "sshapp/wording",
			},
			modules: terminal,
		},
		"sshapp/tui/draw": {local: []string{"rules", "sshapp/render"}, modules: terminal},
		"sshapp/screen": {
			local: []string{
				"match/stats",
				"sshapp/idle", "sshapp/keys", "sshapp/limit", "sshapp/render", "sshapp/terminal", "sshapp/tui", "sshapp/wording",
			},
			modules: terminal,
		},
		"sshapp/plain": {
			local: []string{
				"match", "match/account", "match/history", "match/lobby", "match/manager", "rules", "rules/strategy",
				"sshapp/client", "sshapp/idle", "sshapp/lineedit", "sshapp/start", "sshapp/wording",
			},
			modules: []string{"golang.org/x/time/"},
		},
		"sshapp/bot": {
			local: []string{
				"match", "match/lobby", "match/manager", "rules", "rules/strategy", "sshapp/bot/botproto",
				"sshapp/client", "sshapp/idle",
				"sshapp/wording",
			},
			modules: []string{"golang.org/x/time/"},
		},
		"sshapp/bot/botproto": {local: []string{"match", "rules"}},
		"sshapp/picture": {
			local:   []string{"match", "rules", "sshapp/render", "sshapp/tui", "sshapp/tui/draw", "sshapp/wording"},
			modules: terminal,
		},
		"sshapp/command": {
			local: []string{
				"match", "match/account", "match/history", "match/manager", "rules", "rules/strategy",
				"rules/opening", "rules/classic", "sshapp/idle", "sshapp/lineedit", "sshapp/start", "sshapp/wording",
				"sshapp/plain", "sshapp/bot", "sshapp/picture",
			},
			modules: []string{"github.com/spf13/"},
		},
		"sshapp/admin": {
			local:   []string{"match", "match/account", "rules", "sshapp/command", "sshapp/wording"},
			modules: []string{"github.com/spf13/", "golang.org/x/crypto/"},
		},
		"sshapp/metrics": {
			local:   []string{"match/journal", "match/lobby", "match/manager", "match/stats", "sshapp", "sshapp/limit"},
			modules: []string{"github.com/prometheus/"},
		},
		"sshapp": {
			local: []string{
				"match", "match/account", "match/history", "match/lobby", "match/manager", "match/stats", "rules", "rules/strategy",
				"hostkeys", "sshapp/idle", "sshapp/limit", "sshapp/names", "sshapp/terminal", "sshapp/sshfix",
				"sshapp/start", "sshapp/screen", "sshapp/tui", "sshapp/tui/draw", "sshapp/bot", "sshapp/command", "sshapp/wording",
				"sshapp/admin",
			},
			modules: append(terminal, "github.com/anmitsu/go-shlex", "github.com/spf13/cobra", "github.com/pires/go-proxyproto",
				"go.mau.fi/util/confusable"),
		},
	}
}

func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	for name, file := range source(t) {
		seen[path.Dir(name)] = true
		for _, violation := range violations(name, file) {
			t.Error(violation)
		}
	}
	for name := range allowedImports() {
		if !seen[name] {
			t.Errorf("%s has no files", name)
		}
	}
}

// The checks themselves find what they are for.
func TestViolationsAreFound(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"rules/a.go", `import "notakto/match"`, "may not import notakto/match"},
		{"rules/a.go", `import "golang.org/x/sync/errgroup"`, "may not import golang.org/x"},
		{"match/a.go", `import "charm.land/log/v2"`, "may not import charm.land/log/v2"},
		{"match/a.go", `import "notakto/sshapp/tui"`, "may not import notakto/sshapp/tui"},
		{"sshapp/tui/a.go", `import "notakto/sshapp"`, "may not import notakto/sshapp"},
		{"sshapp/a.go", `import "github.com/nats-io/nats.go"`, "may not import github.com/nats-io"},
		{"cmd/x/a.go", `import "github.com/nats-io/nats.go"`, "only match/journal and match/journal/natsd know NATS"},
		{"cmd/x/a.go", `func init() {}`, "has an init function"},
		{"cellar/a.go", ``, "does not list"},
		{"match/a.go", `func f() { go f() }`, "starts a goroutine"},
		{"sshapp/a.go", "import \"charm.land/bubbletea/v2\"\nfunc f(p *tea.Program) { p.Send(nil) }", "sends to a program"},
		{"sshapp/screen/run.go", "import \"charm.land/bubbletea/v2\"\nfunc f(p *tea.Program) { go p.Send(nil) }", ""},
		{"cmd/x/a.go", `func f() { go f() }`, ""},
		{"rules/a.go", `import ("fmt"; "math/rand/v2")`, ""},
		{"sshapp/a.go", `import ("notakto/match"; "charm.land/wish/v2")`, ""},
		{"cmd/x/a.go", "import \"notakto/sshapp\"\ntype t int\nfunc (t) init() {}", ""},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), test.name, "package a\n"+test.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(violations(test.name, file), "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s with %q: it says %q, want %q", test.name, test.text, got, test.want)
		}
	}
}

// Lip Gloss's compat package asks the server's own terminal for its colours when any package imports it.
func TestNoPackageImportsLipglossCompat(t *testing.T) {
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
	text, err := os.ReadFile(filepath.Join(top, "cmd/notakto/main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n >= 40 {
		t.Errorf("main.go has %d lines", n)
	}
}

// source returns every Go file of the product and the tools that is no test, by its path from the top.
func source(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	return files
}

// goFiles returns the paths of all Go files from the top.
func goFiles(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(top, func(p string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(top, p)
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && p != top && (strings.HasPrefix(base, ".") || base == "testdata"):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(base, ".go"):
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// knowNATS are the packages that know NATS.
var knowNATS = [...]string{"match/journal", "match/journal/natsd"}

func violations(name string, file *ast.File) (all []string) {
	here, ok := allowedImports()[path.Dir(name)]
	isTool := strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "internal/")
	if isTool {
		here, ok = imports{local: []string{"*"}, modules: []string{""}}, true
	}
	if !ok {
		return []string{name + " is in a package that docs/architecture.md does not list"}
	}
	for _, spec := range file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		if !here.mayImport(p) {
			all = append(all, fmt.Sprintf("%s may not import %s", name, p))
		}
		if strings.HasPrefix(p, "github.com/nats-io/") && !slices.Contains(knowNATS[:], path.Dir(name)) &&
			name != "internal/chaos/nats_node.go" {
			all = append(all, name+" imports NATS, and only match/journal and match/journal/natsd know NATS")
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

// A goroutine of the server has an owner that waits for it and contains its panics: match and match/journal start
// theirs by a WaitGroup's Go. These files start some that end with a connection or a session, and what they run cannot
// panic, or contains it itself.
var starters = [...]string{
	"sshapp/input_buffer.go", "sshapp/bot/session.go", "sshapp/command/input.go", "sshapp/extended_data.go",
	"sshapp/screen/run.go",
	"sshapp/screen/writer.go", "sshapp/plain/serve.go", "sshapp/sshfix/drain_readahead.go", "sshapp/waitroom.go",
}

// sender is the only file that sends to a program of Bubble Tea's: what it runs on knows when the program has ended.
const sender = "sshapp/screen/run.go"

// strayed returns the goroutines and the messages to programs that begin where they should not.
func strayed(name string, file *ast.File) (all []string) {
	tea := slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
		return strings.Contains(i.Path.Value, "/bubbletea/")
	})
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !slices.Contains(starters[:], name) {
				all = append(all, name+" starts a goroutine without an owner that waits for it")
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

func (i imports) mayImport(p string) bool {
	if local, ok := strings.CutPrefix(p, "notakto/"); ok {
		return slices.Contains(i.local, local) || slices.Contains(i.local, "*")
	}
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".") || slices.ContainsFunc(i.modules, func(m string) bool {
		return strings.HasPrefix(p, m)
	})
}
