package codecheck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

const top = "../.."

// source returns the Go files of the product and its tools by their path from the top, without tests.
func source(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(top, func(p string, entry fs.DirEntry, err error) error {
		base := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && p != top && (strings.HasPrefix(base, ".") || base == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		name, err := filepath.Rel(top, p)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = parser.ParseFile(token.NewFileSet(), p, nil,
			parser.SkipObjectResolution|parser.ParseComments)
		return err
	})
	testkit.OK(t, err)
	if len(files) < 100 {
		t.Fatalf("only %d files were found", len(files))
	}
	return files
}

// startGoroutines lists the files that may use a bare go statement. A goroutine that starts there ends with a
// connection or a session and contains its own panics. Other goroutines need an owner that waits for them with a
// WaitGroup.
var startGoroutines = [...]string{
	"sshapp/channel.go", "sshapp/connection.go", "sshapp/input.go", "sshapp/liveness.go", "sshapp/plain/session.go",
	"sshapp/bot/session.go", "sshapp/screen/run.go", "sshapp/screen/writer.go", "sshapp/sshfix/drain_readahead.go",
}

func TestGoroutinesHaveAnOwner(t *testing.T) {
	for name, file := range source(t) {
		if strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "internal/") ||
			slices.Contains(startGoroutines[:], name) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s starts a goroutine with go: use a WaitGroup, or add the file to startGoroutines", name)
			}
			return true
		})
	}
}

var docLink = regexp.MustCompile(`(?:^|[\s(])\[\*?([A-Z]\w*)(?:\.\w+)?\]`)

// A doc link such as [Name] or [Type.Method] must name a declaration of its package. Links into other packages are
// not checked.
func TestDocLinksLeadSomewhere(t *testing.T) {
	files := source(t)
	declared := declarations(files)
	for name, file := range files {
		for _, group := range file.Comments {
			for _, link := range docLink.FindAllStringSubmatch(group.Text(), -1) {
				if !declared[path.Dir(name)+"."+link[1]] {
					t.Errorf("%s: the doc link [%s] leads nowhere", name, link[1])
				}
			}
		}
	}
}

// declarations returns the names that files declare, such as sshapp/tui.Root and sshapp/tui.Root.Init, and again with
// the last element of the path only, such as tui.Root.
func declarations(files map[string]*ast.File) map[string]bool {
	declared := map[string]bool{}
	for file, syntax := range files {
		add := func(name string) {
			declared[path.Dir(file)+"."+name], declared[path.Base(path.Dir(file))+"."+name] = true, true
		}
		for _, d := range syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					receiver := d.Recv.List[0].Type
					if star, ok := receiver.(*ast.StarExpr); ok {
						receiver = star.X
					}
					if generic, ok := receiver.(*ast.IndexExpr); ok {
						receiver = generic.X
					}
					name = lastName(receiver) + "." + name
				}
				add(name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						add(s.Name.Name)
					case *ast.ValueSpec:
						for _, n := range s.Names {
							add(n.Name)
						}
					}
				}
			}
		}
	}
	return declared
}

// Lip Gloss's compat package queries the server's own terminal for colors as soon as a package imports compat.
func TestNoPackageImportsLipglossCompat(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./...")
	cmd.Dir = top
	out, err := cmd.Output()
	testkit.OK(t, err)
	all := strings.Fields(string(out))
	if !slices.Contains(all, "charm.land/lipgloss/v2") {
		t.Error("the list does not even hold Lip Gloss")
	}
	if slices.Contains(all, "charm.land/lipgloss/v2/compat") {
		t.Error("compat is in the program")
	}
}
