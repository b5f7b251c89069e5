package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
	"notakto/sshapp/plain"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// noTerminal says how to play without a terminal.
func (d Env) noTerminal() error {
	return fmt.Errorf("the game needs a terminal, ssh -t %s; without one, ssh %s plain is played line by line",
		d.Host, d.Host)
}

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

With a terminal and no command, the game begins: ssh -t HOST`

// New is the tree of a front end. Its root, which is what a command line without a command does, says how to play;
// a front end with more to offer there, or further commands, adds them.
func New(d Env) *cobra.Command {
	d.Host = cmp.Or(d.Host, wording.NoHost)
	root := &cobra.Command{
		Use:           "notakto",
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: d.Name},
		Long:          about,
		Version:       d.Version.String(),
		Args:          NoArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), d.noTerminal())
		},
	}
	root.SetIn(d.In)
	root.SetOut(d.Out)
	root.SetErr(d.Err)
	root.SetVersionTemplate("notakto {{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(
		newPlay(d), newJoin(d), newWatch(d), newPlain(d), newBot(d), newMatches(d),
		newAnalyse(d), newOpening(d), newCard(d), newCast(d), newShow(d), newProfile(d), newHistory(d), newLadder(d),
		newClassic(d), newRules(d), newVersion(d),
		newMe(d), newName(d), newKey(d),
	)
	root.AddCommand(d.More...)
	if d.Host == wording.NoHost {
		root.Long += "\nHOST is what you type after ssh, such as -p 2222 localhost."
	}
	root.Long = strings.ReplaceAll(root.Long, wording.NoHost, d.Host)
	for _, cmd := range all(root) {
		cmd.Example = strings.ReplaceAll(cmd.Example, wording.NoHost, d.Host)
		if cmd.ValidArgs == nil { // no command takes files
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
	d.configureHelp(root)
	return root
}

// all returns a command and those below it.
func all(cmd *cobra.Command) []*cobra.Command {
	found := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		found = append(found, all(sub)...)
	}
	return found
}

// Names returns the commands that every front end has, sorted.
func Names() []string {
	return []string{
		"analyse", "bot", "card", "cast", "classic", "help", "history", "join", "key", "ladder", "matches", "me", "name",
		"opening", "plain", "play", "profile", "rules", "show", "version", "watch",
	}
}

// IsCompletionRequest reports whether a command line asks, by one of cobra's hidden commands, what a word could become.
// Cobra complains of such a line on the process's own standard error: only for the local program that is where the
// person who asks reads it.
func IsCompletionRequest(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, cobra.ShellCompRequestCmd) })
}

// completeFlag says what a shell may put in for a flag. It fails only for a flag that does not exist. Over SSH there is
// no shell that asks, and cobra keeps what is offered, and with it the flag, until the process ends: every session
// would leave some there.
func (d Env) completeFlag(cmd *cobra.Command, flag string, choices ...string) {
	if d.Server != nil {
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag,
		cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// Env is the way by which a command line came in, and what can be done there.
type Env struct {
	Name     string           // what is typed before the command: "notakto", or "ssh HOST"
	Host     string           // the server in commands to copy; HOST by default
	Version  Version          // as `version` says it
	In       io.Reader        // ends when the client has gone
	Out, Err io.Writer        // a Write that never returns holds up the command; the caller has to make it fail some time
	Echo     bool             // In is the keys of a terminal that shows none of them
	Server   *Server          // the server behind the front end; nil where there is none
	More     []*cobra.Command // further commands

	// Data returns the data directory that a local command reads if none is named.
	Data func() (string, error)
}

// Server is the server as the player at the front end may use it.
type Server struct {
	Player   match.Player
	Accounts *account.Accounts
	History  *history.Store // nil where there is none
	Caller   account.Caller // who decides about the player's account
	Manager  *manager.Manager
	Game     func(start.Start) // plays on the full screen until the player leaves; nil without a terminal that can show it
	Idle     time.Duration     // how long nothing may be typed, or said by a bot; zero is for ever
	Stall    time.Duration     // how long a bot may leave unread what it is sent
	OnLimit  func(error)       // is called when a limit of a front end refuses the player something; may be nil
	ASCII    bool              // the player's locale knows no other characters
	Renamed  bool              // the player's name is not the user name of the login
	Log      *slog.Logger      // of faults
	InTurn   func(do func())   // as of [plain.Config]
	Notices  <-chan string     // of those who look after the server, for the game
}

// action is what a command does.
type action func(cmd *cobra.Command, args []string) error

// needsServer is do where there is a server to do it, and a word about where to ask where there is none. What goes
// wrong is not the command line's fault.
func (d Env) needsServer(do action) action {
	return func(cmd *cobra.Command, args []string) error {
		if d.Server == nil {
			return RuntimeError(needsServerError(cmd.Name()))
		}
		return RuntimeError(userError(do(cmd, args)))
	}
}

// answers is an action that needs a server and prints one sentence, in which it says what it has done.
func (d Env) answers(do func(ctx context.Context, h *Server, args []string) (string, error)) action {
	return d.needsServer(func(cmd *cobra.Command, args []string) error {
		text, err := do(cmd.Context(), d.Server, args)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	})
}

// needsServerError says where a command line has to be given.
func needsServerError(line string) error {
	return fmt.Errorf("this command needs a server: ssh HOST %s", line)
}

// errLate says that the outcome is not known.
var errLate = errors.New("the server took too long; try again in a moment")

// userError is an error as a player is to read it.
func userError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return errLate
	}
	if said := wording.ForError(err); said.Known {
		return errors.New(said.Message)
	}
	return err
}

// game is played on the full screen where there is one, and otherwise line by line.
func (d Env) game(cmd *cobra.Command, from start.Start) error {
	if d.Server.Game != nil {
		d.Server.Game(from)
		return nil
	}
	return d.plainGame(cmd, from)
}

func (d Env) plainGame(cmd *cobra.Command, from start.Start) error {
	return plain.Serve(cmd.Context(), plain.Config{
		Player: d.Server.Player, Accounts: d.Server.Accounts, Caller: d.Server.Caller, Manager: d.Server.Manager,
		History: d.Server.History, In: d.In, Out: d.Out,
		Echo: d.Echo, ASCII: d.Server.ASCII, Renamed: d.Server.Renamed,
		Idle: d.Server.Idle, Start: from, Host: d.Host, InTurn: d.Server.InTurn,
		Notices: d.Server.Notices,
	})
}

// withIdleTimeout is what is typed at a front end, for a program that does nothing but read: it ends with ctx too,
// with the cause as its error, and when nothing was typed for as long as the server allows, after a warning. Its
// goroutine ends with In.
func (d Env) withIdleTimeout(ctx context.Context) io.Reader {
	if d.Server == nil { // the process can be ended instead
		return d.In
	}
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { _ = in.CloseWithError(context.Cause(ctx)) })
	timer := idle.NewTimer(d.Server.Idle, func(timer *idle.Timer) {
		switch action, left := timer.Check(false); action {
		case idle.End:
			_ = in.CloseWithError(idle.ErrIdle)
		case idle.Warn:
			_, _ = fmt.Fprintf(d.Err, "\nStill there? Type a line to stay; if not, goodbye in %s.\n", left)
		case idle.Nothing:
		}
	})
	go func() {
		defer timer.Stop()
		buffer := make([]byte, 256)
		for {
			n, err := d.In.Read(buffer)
			timer.Activity()
			if n > 0 {
				if _, over := in.Write(buffer[:n]); over != nil {
					return
				}
			}
			if err != nil {
				_ = in.CloseWithError(err)
				return
			}
		}
	}()
	return out
}

// lines is in with its lines echoed and edited where the client does not.
func (d Env) lines(in io.Reader) io.Reader {
	if d.Echo {
		return lineedit.NewReader(in, d.Out)
	}
	return in
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

// ExitCode is a command's exit status.
type ExitCode int

// The exit statuses.
const (
	ExitOK      ExitCode = 0
	ExitFailure ExitCode = 1 // it was asked for rightly, and could not be done
	ExitUsage   ExitCode = 2 // the command line was wrong
)

// Run runs a command line on a tree of [New]. What goes wrong is for [Report].
func Run(ctx context.Context, root *cobra.Command, words []string) error {
	root.SetArgs(append([]string{}, words...)) // never nil: cobra would take the process's own
	return root.ExecuteContext(ctx)
}

// Report writes what went wrong with a command line, if anything did, as one line without any escape code on the tree's
// standard error, and returns the exit status.
func Report(root *cobra.Command, words []string, err error) ExitCode {
	w := root.ErrOrStderr()
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, new(failure)):
		_, _ = fmt.Fprintf(w, "notakto: %s\n", oneLine(err))
		return ExitFailure
	}
	cmd, _, unknown := root.Find(words)
	if unknown != nil {
		cmd = root
	}
	_, _ = fmt.Fprintf(w, "notakto: %s (%s says more)\n", oneLine(err), helpCommandFor(cmd))
	return ExitUsage
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

// helpCommandFor is the command line that says what a command does. It has no flag: OpenSSH's client takes those behind
// HOST for its own.
func helpCommandFor(cmd *cobra.Command) string {
	env := cmd.Root().CommandPath()
	if cmd.Name() == "help" {
		return env + " help"
	}
	return env + " help" + strings.TrimPrefix(cmd.CommandPath(), env)
}

// configureHelp has every page of help lead to others by words alone, and over SSH say nothing of the flags that words
// take the place of.
func (d Env) configureHelp(root *cobra.Command) {
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{.CommandPath}} [command] --help",
		"{{.Root.CommandPath}} help{{slice .CommandPath (len .Root.CommandPath)}} COMMAND", 1))
	if d.Server == nil {
		return
	}
	root.InitDefaultVersionFlag()
	for _, cmd := range all(root) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name == "help" || f.Name == "version" })
	}
}

// newHelp replaces cobra's own command, which exits with success when the topic does not exist.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Say what a command does",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return names(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return NoArguments(cmd.Root(), args)
			}
			topic.InitDefaultHelpFlag()
			return RuntimeError(topic.Help())
		},
	}
}
