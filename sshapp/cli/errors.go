package cli

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/sshapp/wording"
)

// ExitCode is the exit status of a command.
type ExitCode int

// The exit statuses.
const (
	ExitOK      ExitCode = 0
	ExitFailure ExitCode = 1 // a valid command line failed
	ExitUsage   ExitCode = 2 // the command line is invalid
)

// ReportedError is the exit status of a command that has already printed its error.
type ReportedError ExitCode

func (r ReportedError) Error() string { return fmt.Sprintf("exit status %d", int(r)) }

// failure marks an error behind a valid command line. Unmarked errors count as invalid command lines, because most
// errors of cobra and pflag are of that kind.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Failure marks err as the failure of a valid command line. A nil err stays nil.
func Failure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// usage marks an error in the command line that only the command itself can find.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

// Usage marks an error of an [Action] as an error in the command line. A nil err stays nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usage{err}
}

// Report writes err as one line without control characters, and returns the exit status. For nil and a
// [ReportedError] it writes no line. help is the command line that shows the right usage.
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

// InvalidValue returns an error about a flag or setting, without the password of a URL. cause tells the allowed values.
func InvalidValue(name, value string, cause error) error {
	return fmt.Errorf("%s cannot be %.80q: %w", name, Redacted(value), cause)
}

// urlPasswords matches the passwords in a URL, with the text around them. A password may contain characters that should
// have been escaped.
var urlPasswords = regexp.MustCompile(`(://[^:@/?]*:).*(@)|([?&](?:ssl)?password=)[^&]*`)

// Redacted returns a text with URLs without their passwords.
func Redacted(text string) string {
	return urlPasswords.ReplaceAllString(text, "${1}${3}xxxxx${2}")
}

// ArgumentRange accepts from least to most arguments. what describes them in the error.
func ArgumentRange(least, most int, what string) Args {
	return func(c *Call, args []string) error {
		switch {
		case len(args) < least && len(args) == 0:
			return fmt.Errorf("%s takes %s, and got nothing", c.Path, what)
		case len(args) < least, len(args) > most:
			got := wording.Count(len(args), "argument", "arguments")
			return fmt.Errorf("%s takes %s, and got %s", c.Path, what, got)
		}
		return nil
	}
}

// AtMostOne accepts at most one argument.
func AtMostOne(c *Call, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes at most one argument, and got %d", c.Path, len(args))
	}
	return nil
}

// AnyArguments accepts any arguments.
func AnyArguments(*Call, []string) error { return nil }

// NoArguments accepts no argument. Its error names an unknown command, an unknown flag or a surplus argument.
func NoArguments(c *Call, args []string) error { return noArguments(c.cmd, args) }

func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case strings.HasPrefix(args[0], "–"), strings.HasPrefix(args[0], "—"):
		return unknownFlag(cmd, "--"+strings.TrimLeft(args[0], "–—"))
	case cmd.HasSubCommands():
		return fmt.Errorf("there is no command %.40q%s", args[0], wording.Suggest("", args[0], commandNames(cmd)))
	default:
		return fmt.Errorf("%s takes no argument, and got %.80q", cmd.CommandPath(), strings.Join(args, " "))
	}
}

// commandNames returns the names of the commands below cmd that its help lists.
func commandNames(cmd *cobra.Command) []string {
	var all []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			all = append(all, sub.Name())
		}
	}
	return all
}

// explainFlagError rewords an error of pflag. An unknown command on the line is reported first.
func explainFlagError(cmd *cobra.Command, err error) error {
	if unknown := noArguments(cmd, cmd.Flags().Args()); cmd.HasSubCommands() && unknown != nil {
		return unknown
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		given := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			given = "-" + short
		}
		return unknownFlag(cmd, given)
	}
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		return InvalidValue("--"+wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
	}
	return err
}

func unknownFlag(cmd *cobra.Command, given string) error {
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	return fmt.Errorf("there is no flag %.40q%s", given, wording.Suggest("--", strings.TrimLeft(given, "-"), flags))
}
