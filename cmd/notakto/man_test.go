package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"notakto/sshapp/cli"
)

// The page has every command and setting, and man and mandoc accept it without a warning.
func TestTheManualPage(t *testing.T) {
	t.Parallel()
	page, stderr, status := run(t, nil, "man")
	if status != cli.ExitOK || stderr != "" {
		t.Fatalf("man exits with %d and complains %q", status, stderr)
	}
	plain(t, page)
	eachSetting(newConfiguration().flags, func(f *pflag.Flag) {
		if !strings.Contains(page, `\fB`+escape("--"+f.Name)+`\fR`) || !strings.Contains(page, variable(f.Name)+";") {
			t.Errorf("the page has no --%s", f.Name)
		}
	})
	for _, cmd := range newRoot().Commands() {
		if cmd.IsAvailableCommand() && !strings.Contains(page, ".SS \""+cmd.CommandPath()) {
			t.Errorf("the page has no command %s", cmd.Name())
		}
	}
	for _, tool := range [][]string{{"mandoc", "-Tlint", "-W", "warning"}, {"man", "-l", "-"}} {
		path, err := exec.LookPath(tool[0])
		if err != nil {
			t.Logf("%s is not installed", tool[0])
			continue
		}
		check := exec.Command(path, tool[1:]...)
		check.Stdin = strings.NewReader(page)
		out, err := check.CombinedOutput()
		if err != nil || tool[0] == "mandoc" && len(out) > 0 {
			t.Errorf("%s: %v: %.300s", tool[0], err, out)
		}
	}
}
