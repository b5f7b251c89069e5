package codecheck

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	flowStep = regexp.MustCompile(`(?m)^\d+\. `)
	flowName = regexp.MustCompile("`([a-z]+)\\.(\\w+(?:\\.\\w+)?)`")
)

// A flow names a function as package.Function or package.Type.Method.
func TestFlowsNameFunctions(t *testing.T) {
	_, page, found := strings.Cut(read(t, filepath.Join(top, "docs/architecture.md")), "\n## Three flows\n")
	page, _, ended := strings.Cut(page, "\n## ")
	flows := strings.Split(page, "\n### ")[1:]
	if !found || !ended || len(flows) != 3 {
		t.Fatalf("docs/architecture.md has %d flows under the heading \"Three flows\", want 3", len(flows))
	}
	declared := declarations(source(t))
	for _, flow := range flows {
		title, steps, _ := strings.Cut(flow, "\n")
		if n := len(flowStep.FindAllString(steps, -1)); n < 5 || n > 12 {
			t.Errorf("%s: %d steps, want 5 to 12", title, n)
		}
		for _, name := range flowName.FindAllStringSubmatch(steps, -1) {
			if !declared[name[1]+"."+name[2]] {
				t.Errorf("%s: there is no function %s.%s", title, name[1], name[2])
			}
		}
	}
}
