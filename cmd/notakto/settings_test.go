package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/pflag"

	"notakto/sshapp/command"
	"notakto/sshapp/limit"
)

func TestWrongValuesAreRefusedByNameWithWhatIsAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ flag, value, allowed string }{
		{"listen", "2222", "HOST:PORT"},
		{"listen", ":ssh", "HOST:PORT"},
		{"listen", ":65536", "from 0 to 65535"},
		{"listen", "localhost:-1", "HOST:PORT"},
		{"grace", "60", "a time from 1ms to 24h, such as"},
		{"grace", "-1s", "a time"},
		{"drain", "2h", "a time from 0s to 1h, such as"},
		{"patience", "2m", "a time from 1ms to 1m, such as"},
		{"idle", "800h", "a time from 1ms to 720h, such as"},
		{"computer-pause", "soon", "a time"},
		{"max-sessions", "0", "a whole number from 1 to 1000000"},
		{"max-sessions-per-address", "-5", "a whole number"},
		{"max-sessions-per-key", "ten", "a whole number"},
		{"max-logins", "none", "a whole number"},
		{"max-login-rate", "0", "a whole number"},
		{"proxy-from", "proxy.example", "addresses or networks"},
		{"proxy-from", "10.0.0.0/8,10.0.0.0/33", "addresses or networks"},
		{"sync", "never", "one of always, interval"},
		{"cluster-name", "our cluster", "letters, digits"},
		{"public-address", "play example", "HOST or HOST:PORT"},
		{"public-address", "play.example.org:ssh", "HOST or HOST:PORT"},
		{"public-address", "-oProxyCommand=x", "HOST or HOST:PORT"},
		{"cluster-listen", "6222", "HOST:PORT"},
		{"node-name", "node 1", "letters, digits"},
		{"replace", "node.1", "letters, digits"},
		{"cluster-peer", "10.0.0.2", "HOST:PORT, or several"},
		{"cluster-peer", "10.0.0.2:6222,:6222", "HOST:PORT, or several"},
		{"cluster-cert", "/nowhere/cert.pem", "no such file"},
		{"cluster-cert", "/dev", "not a regular file"},
		{"nats-url", "http://10.0.0.2", "nats://HOST:PORT"},
		{"guests", "maybe", "true or false"},
		{"host-key", "/nowhere/key", "no such file"},
		{"config", "/nowhere/notakto.toml", "no such file"},
		{"log-level", "loud", "one of debug, info, warn, error"},
		{"log-format", "xml", "one of text, json, logfmt"},
		{"log-addresses", "some", "one of full, prefix, none"},
	} {
		refused(t, command.ExitUsage, nil, []string{"--" + test.flag, test.value}, "--"+test.flag+" cannot be",
			test.value, test.allowed)
		refused(t, command.ExitUsage, nil, []string{"serve", "--" + test.flag + "=" + test.value},
			"--"+test.flag+" cannot be", test.allowed)
		refused(t, command.ExitUsage, []string{variable(test.flag) + "=" + test.value}, nil,
			variable(test.flag)+" cannot be", test.allowed)
	}
	refused(t, command.ExitUsage, nil, []string{"--data", ""}, "--data cannot be", "a directory")
	refused(t, command.ExitUsage, nil, []string{"--cluster-peer", "10.0.0.2:6222"},
		"--cluster-peer needs --cluster-listen")
	refused(t, command.ExitUsage, nil, []string{"--cluster-ca", "settings.go"}, "need --cluster-listen")
	refused(t, command.ExitUsage, nil, []string{"--cluster-listen", "10.0.0.1:6222", "--cluster-peer", "10.0.0.2:6222"},
		"--cluster-listen cannot be like this", "needs a secret")
	refused(t, command.ExitUsage, nil, []string{"--cluster-listen", "127.0.0.1:6222", "--cluster-peer", "127.0.0.1:6223"},
		"--cluster-listen cannot be like this", "needs a secret (--cluster-secret-file)")
	for _, peers := range []string{"", "127.0.0.1:6222"} {
		refused(t, command.ExitUsage, nil, []string{"--cluster-listen", "127.0.0.1:6222", "--cluster-peer", peers},
			"--cluster-listen needs --cluster-peer")
	}
	short := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(short, []byte("too short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, command.ExitUsage, nil, []string{
		"--cluster-listen", "127.0.0.1:6222", "--cluster-peer", "127.0.0.1:6223", "--cluster-secret-file", short,
	}, "shorter than 16 characters", "openssl rand")
	refused(t, command.ExitUsage, nil, []string{"--replace", "node1"}, "--replace needs --cluster-listen")
	refused(t, command.ExitUsage, []string{"HOME=", "XDG_DATA_HOME="}, nil, "--data is needed")
	refused(t, command.ExitUsage, []string{"NOTAKTO_GRACE=x", "NOTAKTO_IDLE=y"}, []string{"serve"}, "NOTAKTO_GRACE",
		"NOTAKTO_IDLE")
}

// A user who could read a cluster's secret or key could write moves, and the mode of the file was not
// checked.
func TestSecretFilesAreTheOwnersOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	for _, mode := range []os.FileMode{0o644, 0o444, 0o602} {
		if err := errors.Join(os.WriteFile(path, []byte("0123456789abcdef"), 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		for _, flag := range []string{"host-key", "cluster-secret-file", "cluster-key", "nats-credentials"} {
			refused(t, command.ExitUsage, nil, []string{"--" + flag, path}, "--"+flag+" cannot be",
				fmt.Sprintf("mode %04o", mode), "chmod 600 "+path)
		}
	}
}

// Every limit of the SSH server has a flag.
func TestEveryLimitOfTheServerHasAFlag(t *testing.T) {
	flags := newRoot().Flags()
	for field := range reflect.TypeFor[limit.Settings]().Fields() {
		if flags.Lookup(kebab(field.Name)) == nil {
			t.Errorf("sshapp.Settings.%s has no flag --%s", field.Name, kebab(field.Name))
		}
	}
}

func TestDefaultsAreAllowed(t *testing.T) {
	newRoot().Flags().VisitAll(func(f *pflag.Flag) {
		if err := f.Value.Set(f.DefValue); err != nil {
			t.Errorf("the default of --%s: %v", f.Name, err)
		}
	})
}

func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// A secret's file of eight gigabytes was read into memory.
func TestALargeSecretIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 8<<30); err != nil {
		t.Fatal(err)
	}
	if _, err := readSecret(path); err == nil || !strings.Contains(err.Error(), "longer than 1024 bytes") {
		t.Errorf("a large file: %v", err)
	}
}
