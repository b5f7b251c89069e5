package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

func TestWrongValuesAreRefusedByNameWithWhatIsAllowed(t *testing.T) {
	t.Parallel()
	var env, words [4][]string                  // one start refuses a value of each setting
	for flag, row := range map[string][]string{ // what is allowed, and values that are not
		"listen":               {"it takes HOST:PORT or :PORT", "2222", ":ssh", ":65536", "localhost:-1"},
		"grace":                {"it takes a time from 1ms to 24h, such as", "60"},
		"drain":                {"it takes a time from 0s to 1h, such as", "2h"},
		"max-sessions":         {"it takes a whole number from 1 to 1000000", "0"},
		"max-sessions-per-key": {"it takes a whole number", "ten"},
		"proxy-from":           {"it takes addresses or networks", "proxy.example", "10.0.0.0/8,10.0.0.0/33"},
		"public-address":       {"it takes HOST or HOST:PORT", "play example", "example.org:ssh", "-oProxyCommand=x"},
		"database":             {"it takes the URL of a PostgreSQL database", "http://10.0.0.2"},
		"notify-url": {"it takes a URL with http or https", "ntfy.example.org", "ftp://ntfy.example.org",
			"https://ntfy.example.org?auth=x", "https://ann@ntfy.example.org"},
		"web-source":    {"it takes a URL with http or https", "example.org"},
		"web-cert":      {"open /nowhere/cert: no such file", "/nowhere/cert"},
		"host-key":      {"open /nowhere/key: no such file", "/nowhere/key"},
		"admin-keys":    {"/dev is not a regular file", "/dev"},
		"guests":        {"it takes true or false", "maybe"},
		"config":        {"open /nowhere/notakto.toml: no such file", "/nowhere/notakto.toml"},
		"log-level":     {"it takes one of debug, info, warn, error", "loud"},
		"log-addresses": {"it takes one of full, prefix, none", "some"},
	} {
		for i, value := range row[1:] {
			env[i] = append(env[i], variable(flag)+"="+value)
			words[i] = append(words[i], fmt.Sprintf("%s cannot be %q: %s", variable(flag), value, row[0]))
		}
	}
	for i := range env {
		refused(t, cli.ExitUsage, env[i], []string{"serve"}, words[i]...)
	}
	refused(t, cli.ExitUsage, nil, []string{"--notify-url", "ftp://ann:hidden@ntfy"},
		`--notify-url cannot be "ftp://ann:xxxxx@ntfy": it takes a URL`)
	refused(t, cli.ExitUsage, nil, []string{"--data", ""}, "--data cannot be", "a directory")
	refused(t, cli.ExitUsage, []string{"HOME=", "XDG_DATA_HOME="}, nil, "--data is needed")
}

// A flag that is read into nothing, or into the setting of another flag, would be obeyed by no server.
func TestEveryFlagChangesASettingOfItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	testkit.OK(t, os.WriteFile(file, []byte("0123456789abcdef"), 0o600))
	examples := []string{
		"7", "7s", "true", "false", "debug", "json", "none", file, "postgres://db.example.org/x", "10.0.0.0/8",
		"https://play.example.org", "play.example.org:7", ":7",
	}
	changed := map[string]string{} // by the settings after the change
	eachSetting(newRoot().Flags(), func(f *pflag.Flag) {
		s, flags := defaults(), pflag.NewFlagSet("", pflag.ContinueOnError)
		s.register(flags)
		before, flag := fmt.Sprintf("%+v", *s), flags.Lookup(f.Name)
		isSet := slices.ContainsFunc(examples, func(text string) bool {
			return flag.Value.Set(text) == nil && flag.Value.String() != flag.DefValue
		})
		after := fmt.Sprintf("%+v", *s)
		switch other := changed[after]; {
		case !isSet:
			t.Errorf("--%s takes none of the examples", f.Name)
		case after == before:
			t.Errorf("--%s changes no setting", f.Name)
		case other != "":
			t.Errorf("--%s changes the setting of --%s", f.Name, other)
		}
		changed[after] = f.Name
	})
	if len(changed) < 30 {
		t.Errorf("only %d settings are found", len(changed))
	}
}
