package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/spf13/pflag"
	"golang.org/x/crypto/ssh"

	"notakto/hostkeys"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
)

func (s *settings) hostKeyPath() string {
	return cmp.Or(s.hostKeyFile, filepath.Join(s.data, hostkeys.FileName))
}

var errSameKey = errors.New("--next-host-key names the host key itself: make a new key with ssh-keygen -t ed25519, " +
	"or remove the setting if the new key is in use already")

// readHostKeys returns the host key and the next one, which is nil without --next-host-key. A missing file is an error.
func (s *settings) readHostKeys() (key, next ssh.Signer, err error) {
	key, err = hostkeys.Read(s.hostKeyPath())
	if err != nil || s.nextKeyFile == "" {
		return key, nil, err
	}
	next, err = hostkeys.Read(s.nextKeyFile)
	if err == nil && bytes.Equal(key.PublicKey().Marshal(), next.PublicKey().Marshal()) {
		err = errSameKey // OpenSSH rejects an announcement that has a key twice
	}
	return key, next, err
}

var errNoHostKey = errors.New("there is no host key yet: start the server once, or name the file with --host-key")

func hostKeyCommand() cli.Command {
	var c *configuration
	var given *pflag.FlagSet
	return cli.Command{
		Use: "host-key", Short: "Print the host key for known_hosts and DNS", Long: admin.AboutHostKey, JSON: true,
		Example: "notakto host-key --public-address play.example.org",
		Flags: func(f *pflag.FlagSet) {
			c, given = newConfiguration(), f
			for _, name := range [...]string{"data", "host-key", "next-host-key", "public-address", "config"} {
				f.AddFlag(c.flags.Lookup(name))
			}
		},
		Run: func(ctx context.Context, call *cli.Call, _ []string) (a cli.Answer, err error) {
			if err := errors.Join(c.read(given, defaultConfig), c.validate()); err != nil {
				return a, cli.Usage(err)
			}
			// A running server answers first, because it may have keys that only its service can read.
			if !given.Changed("host-key") && !given.Changed("next-host-key") && !given.Changed("public-address") {
				words := []string{"host-key"}
				if asJSON, _ := given.GetBool("json"); asJSON {
					words = append(words, "--json")
				}
				if err := askControl(ctx, call, c.data, call.Out, words...); !errors.Is(err, errNoServer) {
					return a, err
				}
			}
			key, next, err := c.readHostKeys()
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return a, errors.Join(err, errNoHostKey)
			case err != nil:
				return a, err
			}
			keys := []ssh.PublicKey{key.PublicKey()}
			if next != nil {
				keys = append(keys, next.PublicKey())
			}
			return admin.ShowHostKeys(hostkeys.Address(c.publicAddress), keys), nil
		},
	}
}
