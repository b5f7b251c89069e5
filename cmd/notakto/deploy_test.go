package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"notakto/sshapp/admin"
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

// Each command of this program that a page shows exists, with its flags.
func TestCommandsOfThePagesExist(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md")
	line := regexp.MustCompile(`^ {4,}(?:\$ )?` +
		`((?:\./)?notakto|ssh (?:-[tT] )?-p 2222 (?:[a-z]+@)?localhost|ssh (?:-[tT] )?HOST)(?: (.*))?$`)
	inline := regexp.MustCompile("`(notakto|ssh (?:-[tT] )?-p 2222 localhost|ssh (?:-[tT] )?HOST) ([^`]+)`")
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for number, typed := range strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n") {
			all := inline.FindAllStringSubmatch(typed, -1)
			if m := line.FindStringSubmatch(typed); m != nil {
				all = append(all, m)
			}
			for _, m := range all {
				found++
				if why := unknownCommand(strings.HasSuffix(m[1], "notakto"), m[2]); why != "" {
					t.Errorf("%s: command %d, %s %s: %s", page, number+1, m[1], m[2], why)
				}
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d commands are found", found)
	}
}

// unknownCommand returns what of a command line does not exist; empty if all does.
func unknownCommand(local bool, line string) string {
	root := newRoot()
	if !local {
		root = command.New(command.Env{
			Name: "ssh HOST", More: []*cobra.Command{admin.New(admin.Env{Role: admin.Administrator})},
		})
	}
	root.InitDefaultHelpCmd()
	line, _, _ = strings.Cut(line, "#")
	line = regexp.MustCompile(`[|><;].*`).ReplaceAllString(strings.ReplaceAll(line, `\|`, "|"), "")
	cmd, words := root, strings.Fields(line)
	for len(words) > 0 && cmd.HasSubCommands() && !strings.HasPrefix(words[0], "-") {
		next, _, err := cmd.Find(words[:1])
		if err != nil || next == cmd {
			if cmd == root && strings.ToUpper(words[0]) != words[0] { // not the place of any command
				return "no command " + words[0]
			}
			break
		}
		cmd, words = next, words[1:]
	}
	cmd.InitDefaultHelpFlag()
	for _, word := range words {
		name, isFlag := strings.CutPrefix(strings.TrimLeft(word, "[("), "--")
		name = strings.TrimRight(strings.Split(name, "=")[0], "]).,:")
		if isFlag && name != "" && name != "version" && cmd.Flag(name) == nil {
			return "no flag --" + name
		}
	}
	return ""
}
