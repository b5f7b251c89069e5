package command

import (
	"errors"
	"fmt"
	"strings"

	"notakto/sshapp/wording"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// failure is an error on the way of doing what was rightly asked for. Whatever is no failure was a wrong command line,
// since cobra and pflag have many ways of saying so.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// RuntimeError marks an error as one that the command line is not to blame for.
func RuntimeError(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// InvalidValue says which flag or setting has a value that is not allowed. The cause says what is.
func InvalidValue(name, value string, cause error) error {
	return fmt.Errorf("%s cannot be %.80q: %w", name, value, cause)
}

// NoArguments refuses what is left on the command line, as a command that was meant or as an argument too many.
func NoArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return fmt.Errorf("there is no command %.40q%s", args[0], wording.Suggest("", args[0], names(cmd)))
	default:
		return fmt.Errorf("%s takes no argument, and got %.80q", cmd.CommandPath(), strings.Join(args, " "))
	}
}

// Arguments takes from least to most arguments, and says in its error what they are.
func Arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s takes %s, and got nothing", cmd.CommandPath(), what)
		case len(args) > most:
			return fmt.Errorf("%s takes %s, and got %d arguments", cmd.CommandPath(), what, len(args))
		}
		return nil
	}
}

func names(cmd *cobra.Command) []string {
	var all []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			all = append(all, sub.Name())
		}
	}
	return all
}

// explainFlag puts what pflag found wrong into our words. Behind a command that does not exist no flag can be right.
func explainFlag(cmd *cobra.Command, err error) error {
	if unknown := NoArguments(cmd, cmd.Flags().Args()); cmd.HasSubCommands() && unknown != nil {
		return unknown
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		given := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			given = "-" + short
		}
		return fmt.Errorf("there is no flag %.40q%s", given, wording.Suggest("--", strings.TrimLeft(given, "-"),
			flagNames(cmd)))
	}
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		return InvalidValue("--"+wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
	}
	return err
}

func flagNames(cmd *cobra.Command) []string {
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	return all
}
