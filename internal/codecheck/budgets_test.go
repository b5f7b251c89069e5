package codecheck

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// Budgets of the product's code. Tests and tools have none.
const (
	maxPackageFiles = 25
	maxTypeMethods  = 20
	maxTypeFiles    = 3
	maxFields       = 15
)

// overBudget lists what exceeds a budget, and its limit: records, whose fields are a list by nature. Lower a limit
// when one shrinks, and raise none.
func overBudget() map[string]int {
	return map[string]int{
		"fields of match/manager.Config":  18,
		"fields of sshapp/limit.Settings": 16,
	}
}

// size is the size of one thing, and its limit.
type size struct {
	is, most int
}

func TestBudgets(t *testing.T) {
	over := overBudget()
	for what, s := range sizes(source(t)) {
		limit, excepted := over[what]
		if !excepted {
			limit = s.most
		}
		switch {
		case s.is > limit:
			t.Errorf("%s: %d, and may be %d", what, s.is, limit)
		case excepted && s.is <= s.most:
			t.Errorf("%s is within its budget: take it off the list", what)
		}
		delete(over, what)
	}
	for what := range over {
		t.Errorf("%s is on the list and does not exist", what)
	}
}

// sizes returns the sizes of all packages, types and structs of the product.
func sizes(files map[string]*ast.File) map[string]size {
	all := map[string]size{}
	typeFiles := map[string]map[string]bool{}
	count := func(what string, most int) { all[what] = size{all[what].is + 1, most} }
	for _, name := range slices.Sorted(maps.Keys(files)) {
		dir := path.Dir(name)
		if strings.HasPrefix(name, "internal/") {
			continue
		}
		count("files of "+dir, maxPackageFiles)
		ast.Inspect(files[name], func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if receiver := receiverOf(n); receiver != "" {
					receiver = dir + "." + receiver
					count("methods of "+receiver, maxTypeMethods)
					if typeFiles[receiver] == nil {
						typeFiles[receiver] = map[string]bool{}
					}
					typeFiles[receiver][name] = true
				}
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					all["fields of "+dir+"."+n.Name.Name] = size{s.Fields.NumFields(), maxFields}
				}
			}
			return true
		})
	}
	for receiver, in := range typeFiles {
		all["files with methods of "+receiver] = size{len(in), maxTypeFiles}
	}
	return all
}

// receiverOf returns the type of a method; empty for a function.
func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	for expr := f.Recv.List[0].Type; ; {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}
