package codecheck

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
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
	used, declared := map[string]bool{}, map[string]int{} // names such as match.ErrClosed, numbers by directory
	files := source(t)
	for name, file := range files {
		if path.Dir(name) == "sshapp/wording" {
			ast.Inspect(file, func(n ast.Node) bool {
				if selector, ok := n.(*ast.SelectorExpr); ok {
					used[lastName(selector.X)+"."+selector.Sel.Name] = true
				}
				return true
			})
		}
	}
	for name, file := range files {
		from := path.Dir(name)
		if !slices.Contains([]string{"match", "rules", "rules/strategy"}, from) {
			continue
		}
		for _, declaration := range file.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok || general.Tok != token.VAR {
				continue
			}
			for _, spec := range general.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					known := path.Base(from) + "." + name.Name
					if !strings.HasPrefix(name.Name, "Err") {
						continue
					}
					declared[from]++
					if errorsWithoutWords()[known] == "" && !used[known] {
						t.Errorf("sshapp/wording/errors.go has no row for %s", known)
					}
				}
			}
		}
	}
	if len(declared) != 3 {
		t.Errorf("errors are declared in %v only", declared)
	}
}
