package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "renew the files that are made from the table of settings")

// The reference of the settings is the table.
func TestSettingsAreDescribed(t *testing.T) {
	const begin, end = "<!-- settings: made by go test ./cmd/notakto -update -->\n", "<!-- end of settings -->\n"
	path := filepath.Join("..", "..", "docs", "configuration.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := bytes.Cut(page, []byte(begin))
	_, tail, ended := bytes.Cut(rest, []byte(end))
	if !found || !ended {
		t.Fatalf("%s has no part between %q and %q", path, begin, end)
	}
	upToDate(t, path, string(head)+begin+settingsPage()+end+string(tail))
}

func settingsPage() string {
	var b strings.Builder
	group := ""
	each(newConfiguration().flags, func(f *pflag.Flag) {
		about := f.Annotations[aboutSetting]
		if about[0] != group {
			group = about[0]
			b.WriteString("\n### " + group + "\n\n| flag | variable | default | SIGHUP | meaning |\n|---|---|---|---|---|\n")
		}
		reload := ""
		if has(f, isLive) {
			reload = "yes"
		}
		text := strings.TrimSpace(sentence(about[1]) + " " + about[2])
		b.WriteString("| " + strings.Join([]string{
			"`--" + f.Name + "`", "`" + variable(f.Name) + "`", "`" + shownDefault(f) + "`", reload, text,
		}, " | ") + " |\n")
	})
	return b.String() + "\n"
}

// The example that a package installs is the one that the program prints.
func TestTheExampleFileIsTheTable(t *testing.T) {
	var text bytes.Buffer
	if err := writeExample(&text); err != nil {
		t.Fatal(err)
	}
	upToDate(t, filepath.Join("..", "..", "deploy", "notakto.toml"), text.String())
}

// upToDate expects the file to have the text, or writes it.
func upToDate(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the table makes: run go test ./cmd/notakto -update\n%s", path,
			firstDifference(string(got), want))
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "it has  " + a[i] + "\nand not " + b[i]
		}
	}
	return "one of them is shorter"
}
