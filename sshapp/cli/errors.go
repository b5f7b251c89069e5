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
	ExitFailure ExitCode = 1 // the command line was right, but the command failed
	ExitUsage   ExitCode = 2 // the command line was wrong
)

// ReportedError is the exit status of a command that has already reported its failure.
type ReportedError ExitCode

func (r ReportedError) Error() string { return fmt.Sprintf("exit status %d", int(r)) }

// failure marks an error of a command whose command line was right. All unmarked errors count as wrong command
// lines, because most errors of cobra and pflag are.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Failure marks an error as a failure of a command whose command line was right.
func Failure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// usage marks an error in the command line that only the command itself can find.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

// Usage marks an error of an [Action] as an error in the command line.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usage{err}
}

// Report writes err as one line without control characters, and returns the exit status. It writes nothing if err
// is nil or a [ReportedError]. help is the command line that shows the right use.
func Report(w io.Writer, err error, help string) ExitCode {
	status, reported := ExitUsage, ReportedError(0)
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &reported):
		return ExitCode(reported)
	case errors.As(err, new(failure)):
		status, help = ExitFailure, ""
	default:
		help = " (" + help + " says more)"
	}
	text := Printable(strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
	_, _ = fmt.Fprintf(w, "notakto: %s%s\n", text, help)
	return status
}

// Printable returns text with U+FFFD in place of each unprintable character.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// InvalidValue returns an error about a flag or setting. cause says which values are allowed.
func InvalidValue(name, value string, cause error) error {
	return fmt.Errorf("%s cannot be %.80q: %w", name, value, cause)
}

// Arguments accepts from least to most arguments. what describes them in the error.
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

// AtMostOne accepts one argument or none.
func AtMostOne(_ *Call, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("accepts at most 1 arg(s), received %d", len(args))
	}
	return nil
}

// AnyArguments accepts any arguments.
func AnyArguments(*Call, []string) error { return nil }

// NoArguments returns an error if there are arguments. The error names an unknown command, an unknown flag or a
// surplus argument.
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

// explainFlag rewords an error of pflag. If the line also has an unknown command, it reports that instead.
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

// noFlag returns an error about an unknown flag, with the nearest known one.
func noFlag(cmd *cobra.Command, given string) error {
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	return fmt.Errorf("there is no flag %.40q%s", given, wording.Suggest("--", strings.TrimLeft(given, "-"), flags))
}
