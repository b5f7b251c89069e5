package rating

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// The example of Glickman's paper has a player of 1500 who meets three others in one period.
func TestGlickmansExample(t *testing.T) {
	player := glicko{mu: 0, phi: 200 / scale, sigma: 0.06}
	var results []opposition
	for _, o := range []struct{ points, deviation, score float64 }{{1400, 30, 1}, {1550, 100, 0}, {1700, 300, 0}} {
		results = append(results, opposition{mu: (o.points - 1500) / scale, phi: o.deviation / scale, score: o.score})
	}
	got := player.update(results, 1, 0.5, 1)
	// The paper computes with four digits, and has 1464.06 instead of 1464.05.
	for name, figure := range map[string]struct{ got, want, tolerance float64 }{
		"rating":     {1500 + got.mu*scale, 1464.06, 0.011},
		"deviation":  {got.phi * scale, 151.52, 0.005},
		"volatility": {got.sigma, 0.05999, 0.00001},
	} {
		if math.Abs(figure.got-figure.want) > figure.tolerance {
			t.Errorf("%s is %v, want %v", name, figure.got, figure.want)
		}
	}
}

// Nodes would disagree on ratings if a product outside mul were fused with a sum, or if package math used assembly
// on some architectures. A division by a power of two may become a product. Such a product is exact, and fusing it
// has no effect.
func TestArithmeticIsTheSameEverywhere(t *testing.T) {
	exact := map[string]bool{
		"Abs": true, "Frexp": true, "Ldexp": true, "Round": true, "Sqrt": true, "Pi": true, "Ln2": true, "Sqrt2": true,
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	products := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.MUL && !constant(n) {
					products++
					if name != "elementary.go" {
						t.Errorf("%s: a product outside mul", set.Position(n.Pos()))
					}
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN {
					t.Errorf("%s: a product outside mul", set.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				if p, ok := n.X.(*ast.Ident); ok && p.Name == "math" && !exact[n.Sel.Name] {
					t.Errorf("%s: math.%s may differ between architectures", set.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	}
	if products != 1 {
		t.Errorf("there are %d products, and mul should have the only one", products)
	}
}

// constant reports whether both factors are numbers or constants of the package. The compiler computes such a
// product exactly.
func constant(product *ast.BinaryExpr) bool {
	for _, factor := range [...]ast.Expr{product.X, product.Y} {
		switch f := factor.(type) {
		case *ast.BasicLit:
		case *ast.SelectorExpr:
			if p, ok := f.X.(*ast.Ident); !ok || p.Name != "time" {
				return false
			}
		case *ast.Ident:
			if f.Name != "scale" && f.Name != "ProvisionalFrom" && f.Name != "ListedDeviation" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
