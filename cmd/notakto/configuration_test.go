package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

func settingsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notakto.toml")
	testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// A mistyped key, or a value that no flag takes, is refused with its line. The program opens no file or port before. A
// variable that it does not know gets a warning.
func TestFaultsInTheFileAreRefusedWithTheirLine(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	var words []string
	for i, fault := range [][2]string{
		{`listn = ":1"`, `there is no setting "listn"; did you mean listen?`},
		{`max-sessions = 0`, `max-sessions cannot be "0": it takes a whole number from 1`},
		{`max-logins = 1.5`, "max-logins cannot be like this: it takes a string, a whole number"},
		{`proxy-from = [1, 2]`, "proxy-from cannot be like this: an array must hold strings"},
		{`idle = 30`, `idle cannot be "30": it takes a time from 1ms`},
		{`guests = "perhaps"`, `guests cannot be "perhaps": it takes true or false`},
		{`config = "other.toml"`, "config cannot be set in the file itself"},
		{`data = ""`, `data cannot be "": it takes the name of a directory`},
		{`admin-keys = "/nowhere/keys"`, `admin-keys cannot be "/nowhere/keys": open /nowhere/keys: no such file`},
		{`[limits]`, `there is no setting "limits"`},
	} {
		fmt.Fprintf(&text, "# next\n %s\n", fault[0])
		words = append(words, fmt.Sprintf(":%d: %s", 2*i+2, fault[1]))
	}
	path := settingsFile(t, text.String())
	for _, args := range [][]string{{"config", "--check", path}, {"serve", "--config", path}} {
		refused(t, cli.ExitUsage, nil, args, append(words, path)...)
	}
	for text, want := range map[string]string{
		"listen = \":1\"\nlisten = \":2\"\n": ":2: invalid TOML",
		"listen = \":1\"\nidle = \n":         ":2: invalid TOML",
		"listen":                             ":1: invalid TOML",
		"# x\n log-level = debug # all\n":    `:2: text needs quotes: log-level = "debug"`,
		"listen = :2222\nidle = \"1m\"\n":    `:1: text needs quotes: listen = ":2222"`,
	} {
		refused(t, cli.ExitUsage, nil, []string{"config", "--check", settingsFile(t, text)}, want)
	}
	refused(t, cli.ExitUsage, nil, []string{"config", "--check", filepath.Join(t.TempDir(), "none")}, "no such file")
	refused(t, cli.ExitUsage, nil, []string{"config", "--check", "--json"}, "json", "check")
	home := t.TempDir()
	env := []string{
		"HOME=" + home, "NOTAKTO_CONFIG=" + settingsFile(t, ""),
		"NOTAKTO_LISTENN=x", // unlike the rest, which Kubernetes sets for a Service named notakto
		"NOTAKTO_SERVICE_HOST=x", "NOTAKTO_PORT=x",
		"NOTAKTO_SERVICE_PORT_SSH=1", "NOTAKTO_PORT_22_TCP_ADDR=x", "NOTAKTO_PEERS_SERVICE_HOST=x",
	}
	stdout, stderr, status := run(t, env, "config", "--check")
	if status != cli.ExitOK || stdout+stderr != "notakto: "+unknownVariable+"\n" {
		t.Errorf("an empty file: %d, %q, %q", status, stdout, stderr)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("a check leaves %v (%v)", left, err)
	}
}

const unknownVariable = `there is no setting for the variable "NOTAKTO_LISTENN"; did you mean NOTAKTO_LISTEN?`

func TestTheStrongestSourceWins(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	testkit.OK(t, os.WriteFile(secret, []byte("only the server knows this\n"), 0o600))
	path := settingsFile(t, "grace = \"1s\"\nidle = '2s'\n\ndrain = \"3s\"\nmax-sessions = 7\nguests = false\n"+
		"proxy-from = [\"10.0.0.7\", \"192.168.0.0/16\"]\nhost-key = "+strconv.Quote(secret)+"\n"+
		"database = \"postgres://ann:hid/d@en@10.0.0.1,10.0.0.2/n?password=hidden&x=y\"\n")
	credentials := t.TempDir()
	for name, text := range map[string]string{
		"notify-url": "https://ann:hidden@ntfy.example.org\n", "next-host-key": "only the server knows this\n",
		"idle": "7s", "max-sessions": "9\n",
	} {
		testkit.OK(t, os.WriteFile(filepath.Join(credentials, "notakto."+name), []byte(text), 0o440))
	}
	home := t.TempDir()
	env := []string{
		"NOTAKTO_CONFIG=" + path, "NOTAKTO_GRACE=4s", "NOTAKTO_IDLE=5s", "NOTAKTO_LINGER=",
		"CREDENTIALS_DIRECTORY=" + credentials, "HOME=" + home,
	}
	stdout, stderr, status := run(t, append(env, "XDG_DATA_HOME="+home), "config", "--json", "--grace=6s")
	if status != cli.ExitOK || stderr != "" ||
		strings.Contains(stdout, "hidden") || strings.Contains(stdout, "only the server") {
		t.Fatalf("it exits with %d, prints %q and complains %q", status, stdout, stderr)
	}
	var got map[string]struct{ Value, Origin string }
	testkit.OK(t, json.Unmarshal([]byte(stdout), &got))
	for name, want := range map[string][2]string{
		"config":       {path, "NOTAKTO_CONFIG"},
		"data":         {filepath.Join(home, "notakto"), "default"},
		"grace":        {"6s", "flag"},
		"idle":         {"5s", "NOTAKTO_IDLE"},
		"drain":        {"3s", path + ":4"},
		"linger":       {"5m0s", "default"},
		"max-sessions": {"9", "credential notakto.max-sessions"},
		"guests":       {"false", path + ":6"},
		"proxy-from":   {"10.0.0.7/32,192.168.0.0/16", path + ":7"},
		"host-key":     {secret, path + ":8"},
		"database":     {"postgres://ann:xxxxx@10.0.0.1,10.0.0.2/n?password=xxxxx&x=y", path + ":9"},

		"notify-url":    {"https://ann:xxxxx@ntfy.example.org", "credential notakto.notify-url"},
		"next-host-key": {filepath.Join(credentials, "notakto.next-host-key"), "credential notakto.next-host-key"},
	} {
		if got[name].Value != want[0] || got[name].Origin != want[1] {
			t.Errorf("%s is %q from %s, want %q from %s", name, got[name].Value, got[name].Origin, want[0], want[1])
		}
	}
	large := filepath.Join(credentials, "notakto.listen")
	testkit.OK(t, os.WriteFile(large, bytes.Repeat([]byte("1"), maxCredential+1), 0o440))
	refused(t, cli.ExitUsage, env, []string{"config"}, large+" has more than 65536 bytes")
	testkit.OK(t, os.Remove(large))
	table, _, _ := run(t, env, "config", "--grace=6s")
	eachSetting(newConfiguration().flags, func(f *pflag.Flag) {
		testkit.Contains(t, table, "\n"+f.Name+" ")
		testkit.Contains(t, stdout, "\n  \""+f.Name+"\": {")
	})
	want := `(?m)^data +` + home + `/\.local/share/notakto +default$(?s:.*)^grace +6s +flag$`
	testkit.Equal(t, regexp.MustCompile(want).MatchString(table), true, table)
}

// A package installs the example as the default file, which is optional. Only its line of data differs from the default
// of the setting.
func TestTheExampleHasTheDefaults(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	testkit.OK(t, writeExample(&text))
	upToDate(t, filepath.Join("..", "..", "deploy", "notakto.toml"), text.String())
	keys := regexp.MustCompile(`(?m)^#([a-z-]+ = )`).ReplaceAllString(text.String(), "$1")
	c := newConfiguration()
	testkit.OK(t, c.read(c.flags, settingsFile(t, keys)))
	fromFile := 0
	eachSetting(c.flags, func(f *pflag.Flag) {
		if f.Name != "config" && f.Name != "data" && f.Value.String() != f.DefValue {
			t.Errorf("%s is %q in the example, and %q by default", f.Name, f.Value, f.DefValue)
		}
		if strings.HasPrefix(c.origins[f.Name], c.config+":") {
			fromFile++
		}
	})
	if want := len(c.names()) - 1; fromFile != want {
		t.Errorf("the example has %d settings, want %d", fromFile, want)
	}
	none := newConfiguration()
	if err := none.read(none.flags, filepath.Join(t.TempDir(), "none")); err != nil || none.config != "" {
		t.Errorf("without the default file: %q, %v", none.config, err)
	}
}

// The data directory of local commands comes from the file of settings as well.
func TestLocalCommandsFindTheDataOfTheSettings(t *testing.T) {
	t.Parallel()
	named := filepath.Join(t.TempDir(), "named")
	env := []string{"NOTAKTO_CONFIG=" + settingsFile(t, "data = "+strconv.Quote(named)+"\n")}
	refused(t, cli.ExitFailure, env, []string{"history", "ann"}, named)
	env = append(env, "NOTAKTO_DATA="+named+"2")
	refused(t, cli.ExitFailure, env, []string{"history", "ann"}, named+"2")
	refused(t, cli.ExitFailure, env, []string{"profile", "ann", "--data", named + "3"}, named+"3")
	bad := []string{"NOTAKTO_CONFIG=" + settingsFile(t, "dta = \"x\"\n")}
	refused(t, cli.ExitUsage, bad, []string{"history", "ann"}, "did you mean data?")
}
