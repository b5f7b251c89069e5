package rating

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
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
// on some architectures. The compiler computes products of constants exactly.
func TestArithmeticIsTheSameEverywhere(t *testing.T) {
	ignored := regexp.MustCompile(`//.*|(ProvisionalFrom|ListedDeviation|scale) ?\* ?1000|112 \* time|` +
		`math\.(Abs|Frexp|Ldexp|Round|Sqrt|Pi|Ln2|Sqrt2)\b`)
	inexact := regexp.MustCompile(`[\w)\]]+( \*\s+|\*)[-\w(]+|\*=|math\.`)
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range names {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			found = append(found, inexact.FindAllString(ignored.ReplaceAllString(string(code), ""), -1)...)
		}
	}
	if want := "x * y"; strings.Join(found, ", ") != want {
		t.Errorf("inexact are %q, want %s in mul alone", found, want)
	}
}
