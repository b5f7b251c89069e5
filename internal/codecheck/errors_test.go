package codecheck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// errorsWithoutWords returns the errors of match and rules that need no row, with the reason.
func errorsWithoutWords() map[string]string {
	return map[string]string{
		"match.ErrBadEvent":    "a log that makes no sense is told as match.ErrDamaged",
		"match.ErrConflict":    "tables and the lobby try again",
		"match.ErrArchived":    "a table that was put away is told as match.ErrClosed",
		"match.ErrUnavailable": "match.UserMessage has its words for all front ends",
		"rules.ErrBadGame":     "games are typed to the command analyse only, which says the error itself",
		"rules.ErrBadPosition": "positions are typed to that command only as well",
	}
}

// The front ends show an error without a row in sshapp/wording/errors.go as "that did not work".
func TestEveryErrorHasWords(t *testing.T) {
	for _, from := range []string{"match", "rules", "rules/strategy"} {
		for _, name := range declaredErrors(t, filepath.Join(top, from)) {
			name = filepath.Base(from) + "." + name
			if errorsWithoutWords()[name] == "" && !mentions(t, filepath.Join(top, "sshapp/wording"), name) {
				t.Errorf("sshapp/wording/errors.go has no row for %s", name)
			}
		}
	}
}

func declaredErrors(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, file := range parsed(t, dir) {
		for _, declaration := range file.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok || general.Tok != token.VAR {
				continue
			}
			for _, spec := range general.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if strings.HasPrefix(name.Name, "Err") {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	if len(names) == 0 {
		t.Errorf("%s declares no error", dir)
	}
	return names
}

// mentions reports whether the code of a directory uses name, such as match.ErrClosed.
func mentions(t *testing.T, dir, name string) (found bool) {
	t.Helper()
	for _, file := range parsed(t, dir) {
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := selector.X.(*ast.Ident)
			found = found || ok && from.Name+"."+selector.Sel.Name == name
			return true
		})
	}
	return found
}

func parsed(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}
