//go:build systems

// Package systems checks that the program compiles for the operating systems that it supports.
package systems

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listed is a package in the output of go list.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
}

// The test checks types in five seconds of CPU time a system. A build takes a minute.
func TestTheProgramCompilesForAllSystems(t *testing.T) {
	// One system for each architecture that differs: of 32 bits, and the constants of Linux on arm64.
	for _, target := range []string{
		"linux/arm", "linux/arm64", "darwin/arm64", "freebsd/amd64", "openbsd/amd64", "windows/amd64",
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			system, arch, _ := strings.Cut(target, "/")
			check(t, system, arch, list(t, system, arch))
		})
	}
}

// list returns the program's packages, a package after its imports.
func list(t *testing.T, system, arch string) (all []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap", "notakto/cmd/notakto")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// check reports type errors in the project's packages and in the declarations of other packages.
func check(t *testing.T, system, arch string, packages []listed) {
	t.Helper()
	done := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, p := range packages {
		if p.ImportPath == "unsafe" {
			continue
		}
		files := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		config := types.Config{
			Importer:         imports{done, p.ImportMap},
			Sizes:            types.SizesFor("gc", arch),
			IgnoreFuncBodies: !strings.HasPrefix(p.ImportPath, "notakto/"),
			Error:            func(err error) { t.Errorf("%s/%s: %v", system, arch, err) },
		}
		done[p.ImportPath], _ = config.Check(p.ImportPath, files, parsed, nil) // config.Error has reported the error
	}
}

// imports implements [types.Importer] with the packages that were checked before.
type imports struct {
	done    map[string]*types.Package
	renamed map[string]string
}

// Import implements [types.Importer].
func (i imports) Import(path string) (*types.Package, error) {
	if vendored, ok := i.renamed[path]; ok {
		path = vendored
	}
	if p, ok := i.done[path]; ok {
		return p, nil
	}
	return nil, errors.New("go list does not list " + path)
}
