package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"notakto/sshapp/command"
)

// settable annotates the flags that are settings: all but --help and --version, which cobra adds.
const settable = "notakto: setting"

// variable returns the environment variable of a flag.
func variable(flag string) string {
	return "NOTAKTO_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// readEnvironment sets every setting without a given flag from its variable. An empty variable counts as not set.
func readEnvironment(flags *pflag.FlagSet) error {
	var refused []error
	flags.VisitAll(func(f *pflag.Flag) {
		text := os.Getenv(variable(f.Name))
		if _, setting := f.Annotations[settable]; !setting || f.Changed || text == "" {
			return
		}
		if err := f.Value.Set(text); err != nil {
			refused = append(refused, command.InvalidValue(variable(f.Name), text, err))
		}
	})
	return errors.Join(refused...)
}
