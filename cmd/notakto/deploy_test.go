package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"notakto/sshapp/command"
)

// What stands in the files for operators exists in the program: each flag that is passed to it, each variable.
func TestDeploymentsNameSettingsThatExist(t *testing.T) {
	c := newConfiguration()
	known := map[string]bool{}
	for _, name := range c.names() {
		known["--"+name], known[variable(name)] = true, true
	}
	named := regexp.MustCompile(`(?m)(?:^\s*- |serve )(--[a-z-]+)|\b(NOTAKTO_[A-Z][A-Z_]*)\b`)
	files := []string{"../../Dockerfile"}
	err := filepath.WalkDir("../../deploy", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".json" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			if name := match[1] + match[2]; !known[name] {
				t.Errorf("%s names %s, which is no setting", path, name)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d settings are found", found)
	}
}

// The settings of deploy/kubernetes are those of a server that can start: a file that it has not is the only fault.
func TestTheServerInKubernetesHasItsSettings(t *testing.T) {
	text, err := os.ReadFile("../../deploy/kubernetes/statefulset.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files, args := t.TempDir(), []string{}
	for _, match := range regexp.MustCompile(`(?m)^        - (--\S+)$`).FindAllStringSubmatch(string(text), -1) {
		arg := strings.ReplaceAll(match[1], "$(POD_NAME)", "notakto-0")
		if _, path, ok := strings.Cut(arg, "=/secrets/"); ok {
			path = filepath.Join(files, filepath.Base(path))
			if err := os.WriteFile(path, []byte("a secret of more than sixteen characters"), 0o600); err != nil {
				t.Fatal(err)
			}
			arg = arg[:strings.Index(arg, "=")+1] + path
		}
		args = append(args, arg)
	}
	_, stderr, status := run(t, nil, append([]string{"config", "--check"}, args...)...)
	if status != command.ExitOK {
		t.Errorf("notakto %q exits with %d: %s", args, status, stderr)
	}
}
