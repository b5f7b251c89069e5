package main

import (
	"errors"
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
	for i, test := range []struct{ flag, value, allowed string }{
		{"listen", "2222", "HOST:PORT"},
		{"listen", ":ssh", "HOST:PORT"},
		{"listen", ":65536", "from 0 to 65535"},
		{"listen", "localhost:-1", "HOST:PORT"},
		{"grace", "60", "a time from 1ms to 24h, such as"},
		{"drain", "2h", "a time from 0s to 1h, such as"},
		{"idle", "800h", "a time from 1ms to 720h, such as"},
		{"max-sessions", "0", "a whole number from 1 to 1000000"},
		{"max-sessions-per-key", "ten", "a whole number"},
		{"max-logins", "none", "a whole number"},
		{"proxy-from", "proxy.example", "addresses or networks"},
		{"proxy-from", "10.0.0.0/8,10.0.0.0/33", "addresses or networks"},
		{"public-address", "play example", "HOST or HOST:PORT"},
		{"public-address", "play.example.org:ssh", "HOST or HOST:PORT"},
		{"public-address", "-oProxyCommand=x", "HOST or HOST:PORT"},
		{"database", "http://10.0.0.2", "postgres://"},
		{"notify-url", "ntfy.example.org", "http or https"},
		{"notify-url", "ftp://ntfy.example.org", "http or https"},
		{"notify-url", "https://ann@ntfy.example.org", "http or https"},
		{"notify-url", "https://ntfy.example.org?auth=x", "http or https"},
		{"web-cert", "/nowhere/cert", "no such file"},
		{"web-source", "example.org", "http or https"},
		{"admin-keys", "/nowhere/keys", "no such file"},
		{"admin-keys", "/dev", "not a regular file"},
		{"guests", "maybe", "true or false"},
		{"host-key", "/nowhere/key", "no such file"},
		{"config", "/nowhere/notakto.toml", "no such file"},
		{"log-level", "loud", "one of debug, info, warn, error"},
		{"log-addresses", "some", "one of full, prefix, none"},
	} {
		switch i % 3 { // a value comes from a flag, after the command or without one, or from a variable
		case 0:
			refused(t, cli.ExitUsage, nil, []string{"--" + test.flag, test.value}, "--"+test.flag+" cannot be",
				test.value, test.allowed)
		case 1:
			refused(t, cli.ExitUsage, nil, []string{"serve", "--" + test.flag + "=" + test.value},
				"--"+test.flag+" cannot be", test.allowed)
		default:
			refused(t, cli.ExitUsage, []string{variable(test.flag) + "=" + test.value}, nil,
				variable(test.flag)+" cannot be", test.allowed)
		}
	}
	refused(t, cli.ExitUsage, nil, []string{"--notify-url", "ftp://ann:hidden@ntfy"},
		`cannot be "ftp://ann:xxxxx@ntfy"`)
	refused(t, cli.ExitUsage, nil, []string{"--data", ""}, "--data cannot be", "a directory")
	refused(t, cli.ExitUsage, []string{"HOME=", "XDG_DATA_HOME="}, nil, "--data is needed")
	refused(t, cli.ExitUsage, []string{"NOTAKTO_GRACE=x", "NOTAKTO_IDLE=y"}, []string{"serve"}, "NOTAKTO_GRACE",
		"NOTAKTO_IDLE")
}

// A user with access to the host key could pretend to be the server.
func TestTheHostKeyIsTheOwnersOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	for _, mode := range []os.FileMode{0o644, 0o444, 0o602} {
		testkit.OK(t, errors.Join(os.WriteFile(path, []byte("0123456789abcdef"), 0o600), os.Chmod(path, mode)))
		refused(t, cli.ExitUsage, nil, []string{"--host-key", path}, "--host-key cannot be",
			fmt.Sprintf("mode %04o", mode), "chmod 600 "+path)
	}
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
