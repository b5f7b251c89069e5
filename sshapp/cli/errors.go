package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/sshapp/wording"
)

// ExitCode is a command's exit status.
type ExitCode int

// The exit statuses.
const (
	ExitOK      ExitCode = 0
	ExitFailure ExitCode = 1 // it was asked for rightly, and could not be done
	ExitUsage   ExitCode = 2 // the command line was wrong
)

// Error makes an exit status the error of a command that has told already what went wrong.
func (e ExitCode) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// failure is an error on the way of doing what was rightly asked for. Whatever is no failure was a wrong command line,
// since cobra and pflag have many ways of saying so.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Failure marks an error as one that the command line is not to blame for.
func Failure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// usage is an error of the command line that a command finds when it runs.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

// Usage marks an error of an [Action] as one of the command line.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usage{err}
}

// Report writes what went wrong with a command line, if anything did, as one line without any escape code, and returns
// the exit status. help is the command line that says how it would be right.
func Report(w io.Writer, err error, help string) ExitCode {
	status := ExitUsage
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &status):
		return status
	case errors.As(err, new(failure)):
		status, help = ExitFailure, ""
	default:
		help = " (" + help + " says more)"
	}
	text := Printable(strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
	_, _ = fmt.Fprintf(w, "notakto: %s%s\n", text, help)
	return status
}

// Printable is a client's text with U+FFFD for all that would begin another line or drive a terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// InvalidValue says which flag or setting has a value that is not allowed. The cause says what is.
func InvalidValue(name, value string, cause error) error {
	return fmt.Errorf("%s cannot be %.80q: %w", name, value, cause)
}

// Arguments takes from least to most arguments, and says in its error what they are.
func Arguments(least, most int, what string) Args {
	return func(c *Call, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s takes %s, and got nothing", c.Path, what)
		case len(args) > most:
			return fmt.Errorf("%s takes %s, and got %d arguments", c.Path, what, len(args))
		}
		return nil
	}
}

// AtMostOne takes one argument or none.
func AtMostOne(_ *Call, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("accepts at most 1 arg(s), received %d", len(args))
	}
	return nil
}

// AnyArguments takes what is there.
func AnyArguments(*Call, []string) error { return nil }

// NoArguments refuses what is left on the command line, as a command that was meant or as an argument too many.
func NoArguments(c *Call, args []string) error { return noArguments(c.cmd, args) }

func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case strings.HasPrefix(args[0], "–"), strings.HasPrefix(args[0], "—"):
		return noFlag(cmd, "--"+strings.TrimLeft(args[0], "–—"))
	case cmd.HasSubCommands():
		return fmt.Errorf("there is no command %.40q%s", args[0], wording.Suggest("", args[0], names(cmd)))
	default:
		return fmt.Errorf("%s takes no argument, and got %.80q", cmd.CommandPath(), strings.Join(args, " "))
	}
}

// names returns the names of the commands below cmd that its help lists.
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
	if unknown := noArguments(cmd, cmd.Flags().Args()); cmd.HasSubCommands() && unknown != nil {
		return unknown
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		given := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			given = "-" + short
		}
		return noFlag(cmd, given)
	}
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		return InvalidValue("--"+wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
	}
	return err
}

// noFlag says that there is no flag such as the one given, and which may have been meant.
func noFlag(cmd *cobra.Command, given string) error {
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	return fmt.Errorf("there is no flag %.40q%s", given, wording.Suggest("--", strings.TrimLeft(given, "-"), flags))
}
