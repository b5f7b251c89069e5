package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError is a command line, or an environment, that was wrong.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// failure is an error on the way of doing what was rightly asked for. Whatever is no failure was a wrong command line, since cobra and
// pflag have many ways of saying so.
type failure struct{ error }

func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

func (f failure) Unwrap() error { return f.error }

// refuse says which setting has a value that is not allowed. The cause says what is.
func refuse(name, value string, cause error) error {
	return usage("%s cannot be %q: %w", name, value, cause)
}

// explainFlag puts what pflag found wrong into our words.
func explainFlag(cmd *cobra.Command, err error) error {
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		given := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return usage("there is no flag %q%s", "-"+short, meant("--", short, flagNames(cmd)))
		}
		return usage("there is no flag %q%s", "--"+given, meant("--", given, flagNames(cmd)))
	}
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		return refuse("--"+wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
	}
	return usageError{err}
}

func flagNames(cmd *cobra.Command) []string {
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	return all
}
