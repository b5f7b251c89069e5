package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// ExitCode is a command's exit status.
type ExitCode int

// The exit statuses.
const (
	ExitOK      ExitCode = 0
	ExitFailure ExitCode = 1 // it was asked for rightly, and could not be done
	ExitUsage   ExitCode = 2 // the command line was wrong
)

// Run runs a command line on a tree of [New]. What goes wrong is for [Report]. A command that leads to a front end
// calls [Env.LeadTo] and returns.
func Run(ctx context.Context, root *cobra.Command, words []string) error {
	root.SetArgs(withHyphens(root, words))
	return root.ExecuteContext(ctx)
}

// withHyphens returns words with two hyphens where a flag of the tree begins with a dash: web pages and word processors
// make one of two hyphens. It never returns nil, for which cobra would take the process's own arguments.
func withHyphens(root *cobra.Command, words []string) []string {
	typed := append([]string{}, words...)
	for i, word := range typed {
		flag := strings.TrimLeft(word, "–—")
		name, _, _ := strings.Cut(flag, "=")
		isOf := func(cmd *cobra.Command) bool { return cmd.Flags().Lookup(name) != nil }
		if flag != word && (name == "help" || slices.ContainsFunc(all(root), isOf)) {
			typed[i] = "--" + flag
		}
	}
	return typed
}

// Report writes what went wrong with a command line, if anything did, as one line without any escape code on the tree's
// standard error, and returns the exit status.
func Report(root *cobra.Command, words []string, err error) ExitCode {
	w := root.ErrOrStderr()
	if err == nil || errors.As(err, new(failure)) {
		return ReportFailure(w, err)
	}
	cmd, _, unknown := root.Find(words)
	if unknown != nil {
		cmd = root
	}
	_, _ = fmt.Fprintf(w, "notakto: %s (%s says more)\n", oneLine(err), helpCommandFor(cmd))
	return ExitUsage
}

// ReportFailure is [Report] for what went wrong at a front end, where the command line is not to blame.
func ReportFailure(w io.Writer, err error) ExitCode {
	if err == nil {
		return ExitOK
	}
	_, _ = fmt.Fprintf(w, "notakto: %s\n", oneLine(err))
	return ExitFailure
}

// helpCommandFor is the command line that says what a command does. It has no flag: OpenSSH's client takes those behind
// HOST for its own.
func helpCommandFor(cmd *cobra.Command) string {
	env := cmd.Root().CommandPath()
	if cmd.Name() == "help" {
		return env + " help"
	}
	return env + " help" + strings.TrimPrefix(cmd.CommandPath(), env)
}

// oneLine joins the lines of joined errors and keeps what an argument holds from driving the terminal.
func oneLine(err error) string {
	return Printable(strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
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
