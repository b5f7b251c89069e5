// Package cli runs command lines. A [Command] describes a command as a plain value with usage, role and action. [Run]
// parses the words with cobra, checks the role, runs the action and prints its [Answer], in words or as JSON. An error
// becomes one line and an exit status.
//
// Package player, package admin and cmd/notakto hold the commands. Package sshapp calls Run for each session with a
// command line. The local program calls [New] and [Execute].
//
// For a session, Run makes only the command that the line names, because making the tree of all commands takes four
// times the processor time. Only help and mistyped names need the whole tree. Code runs in the caller's goroutine.
package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Role is the right of a client to give commands beyond those of players.
type Role string

// The roles in ascending order. A role includes the lower roles.
const (
	Player        Role = ""
	Moderator     Role = "moderator"
	Administrator Role = "admin"
)

// Env describes the source of a command line.
type Env struct {
	Name     string    // what the user types before a command, such as "notakto" or "ssh HOST"
	Version  string    // printed by --version
	In       io.Reader // ends when the client disconnects
	Out, Err io.Writer // Write must fail in time, because the command waits for it
	IsRemote bool      // from SSH, without shell completion
	Role     Role
	Record   func(Record) // called after each command with a role above Player, unless nil
}

// Record describes a command of administrators for the log, the audit and the counters.
type Record struct {
	Command string `json:"command"` // the words after admin, such as "ban add"
	Object  string `json:"object"`  // the account, session or match that the administrator named
	Reason  string `json:"reason"`  // the text of --reason
	Status  string `json:"status"`  // StatusOK, StatusFailed or StatusRefused
}

// The values of Record.Status.
const (
	StatusOK      = "ok"
	StatusFailed  = "failed"
	StatusRefused = "refused" // the role does not allow the command
)

// ReasonFlag is the name of the flag that sets [Record].Reason.
const ReasonFlag = "reason"

var errModerator = errors.New("this is for administrators: your key has the role moderator")

// Command is a command or a group of commands.
type Command struct {
	Use, Short, Long, Example string // as in cobra
	Aliases                   []string
	Role                      Role                 // the least role to run the command, hidden from players unless Player
	Args                      Args                 // nil if the command takes no arguments
	Words                     []string             // arguments that a shell may complete
	TakesFiles                bool                 // a shell may complete names of files
	JSON                      bool                 // has the flag --json
	Flags                     func(*pflag.FlagSet) // adds flags, unless nil
	Choices                   map[string][]string  // values that a shell may complete, by flag
	Exclusive                 []string             // flags that exclude each other
	Run                       Action               // nil prints the help
	Sub                       []Command
}

// Action runs a command. Its error counts as a failure unless [Usage] marks it.
type Action func(ctx context.Context, c *Call, args []string) (Answer, error)

// Args returns an error if a command does not accept args.
type Args func(c *Call, args []string) error

// Call is one run of a command.
type Call struct {
	Path         string // the words of the command, such as "notakto ban add"
	Flags        *pflag.FlagSet
	In           io.Reader
	Out, Err     io.Writer
	RecordObject string // Record.Object, or "" for the arguments as typed

	cmd *cobra.Command
}

// Answer is the output of a command in two forms. A command that has written its output itself returns the zero
// Answer.
type Answer struct {
	JSON any           // an iter.Seq[any] becomes an array, written element by element
	Text func(say Say) // writes the answer in words
}

// Say writes one line. Errors of the writer are reported after the last line.
type Say func(format string, values ...any)

// Line returns an answer of one line.
func Line(format string, values ...any) Answer {
	return Answer{Text: func(say Say) { say(format, values...) }}
}

// New makes the command tree of root for e.
func New(e Env, root Command) *cobra.Command {
	cmd := e.newCommand(root, "")
	cmd.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: e.Name}
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetIn(e.In)
	cmd.SetOut(e.Out)
	cmd.SetErr(e.Err)
	cmd.SetFlagErrorFunc(explainFlagError)
	cmd.CompletionOptions.DisableDefaultCmd = true
	// Help pages refer to each other by "help COMMAND", because OpenSSH's client takes flags after HOST as its own.
	cmd.SetHelpCommand(newHelpCommand())
	cmd.InitDefaultHelpCmd()
	e.setVersion(cmd)
	setUsage(cmd)
	if e.IsRemote {
		for _, c := range withDescendants(cmd) {
			c.InitDefaultHelpFlag()
			c.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name == "help" || f.Name == "version" })
		}
	}
	return cmd
}

// setVersion adds the flag --version. Package text/template, which cobra has for the text of its own flag, must not
// be part of the program: with it, the linker keeps all methods of all types, a tenth of the program.
func (e Env) setVersion(root *cobra.Command) {
	root.InitDefaultHelpFlag() // stands first
	root.Flags().BoolP("version", "v", false, "version for "+root.DisplayName())
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if asks, _ := cmd.Flags().GetBool("version"); !asks {
			return run(cmd, args)
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), "notakto", e.Version)
		return Failure(err)
	}
}

// setUsage has help pages refer to each other by "help COMMAND", without a template (see setVersion).
func setUsage(root *cobra.Command) {
	writeUsage := root.UsageFunc() // of cobra
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		out := cmd.OutOrStderr()
		var usage strings.Builder
		cmd.SetOut(&usage)
		defer cmd.SetOut(out)
		if err := writeUsage(cmd); err != nil {
			return err
		}
		program, path := cmd.Root().CommandPath(), cmd.CommandPath()
		_, err := strings.NewReplacer(
			path+" [command] --help", program+" help"+strings.TrimPrefix(path, program)+" COMMAND",
			// pflag writes values behind the name of a flag that needs none. The spaces keep the columns.
			"[=true|false]", "             ",
		).WriteString(out, usage.String())
		return err
	})
}

// newCommand makes c and the commands below it. name has the words of its path below the root.
func (e Env) newCommand(c Command, name string) *cobra.Command {
	cmd := &cobra.Command{
		Use: c.Use, Aliases: c.Aliases, Short: c.Short, Long: c.Long, Example: c.Example, ValidArgs: c.Words,
		DisableFlagsInUseLine: strings.Contains(c.Use, "[--"),
		Args: func(cmd *cobra.Command, args []string) error {
			if c.Args == nil {
				return noArguments(cmd, args)
			}
			return c.Args(newCall(cmd), args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.run(c, cmd, name, args) },
	}
	if c.Words == nil && !c.TakesFiles {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	if c.JSON {
		cmd.Flags().Bool("json", false, "print one JSON value")
	}
	if c.Flags != nil {
		c.Flags(cmd.Flags())
	}
	if len(c.Exclusive) > 0 {
		cmd.MarkFlagsMutuallyExclusive(c.Exclusive...)
	}
	for flag, choices := range c.Choices {
		if e.IsRemote { // cobra would keep the choices and the flag until the process ends
			break
		}
		err := cmd.RegisterFlagCompletionFunc(flag,
			cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
		if err != nil {
			panic(err) // the command has no such flag
		}
	}
	for _, sub := range c.Sub {
		if sub.Role == Player || e.Role != Player {
			word, _, _ := strings.Cut(sub.Use, " ")
			cmd.AddCommand(e.newCommand(sub, strings.TrimSpace(name+" "+word)))
		}
	}
	return cmd
}

// ReplaceInExamples replaces a text in the examples of c and of all commands below it.
func (c *Command) ReplaceInExamples(from, to string) {
	c.Example = strings.ReplaceAll(c.Example, from, to)
	for i := range c.Sub {
		c.Sub[i].ReplaceInExamples(from, to)
	}
}

func newCall(cmd *cobra.Command) *Call {
	return &Call{
		Path: cmd.CommandPath(), Flags: cmd.Flags(),
		In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(), cmd: cmd,
	}
}

// Help prints the help of the command.
func (c *Call) Help() error { return c.cmd.Help() }

func (e Env) run(c Command, cmd *cobra.Command, name string, args []string) error {
	if c.Run == nil {
		return Failure(cmd.Help())
	}
	call := newCall(cmd)
	status, err := StatusRefused, errModerator
	if e.Role == Administrator || c.Role != Administrator {
		var a Answer
		a, err = c.Run(cmd.Context(), call, args)
		if err == nil && a.Text != nil {
			err = call.print(a)
		}
		if status = StatusOK; err != nil {
			status = StatusFailed
		}
	}
	if c.Role != Player && e.Record != nil {
		r := Record{Command: strings.TrimPrefix(name, "admin "), Status: status}
		r.Object = cmp.Or(call.RecordObject, strings.Join(args, " "))
		if reason := call.Flags.Lookup(ReasonFlag); reason != nil {
			r.Reason = reason.Value.String()
		}
		e.Record(r)
	}
	if errors.As(err, new(usage)) {
		return err
	}
	return Failure(err)
}

func (c *Call) print(a Answer) error {
	out := bufio.NewWriter(c.Out) // Flush returns the first error
	if asJSON := c.Flags.Lookup("json"); asJSON == nil || asJSON.Value.String() != "true" {
		a.Text(func(format string, values ...any) { _, _ = fmt.Fprintf(out, format+"\n", values...) })
		return out.Flush()
	}
	elements, isArray := a.JSON.(iter.Seq[any])
	if !isArray {
		return json.NewEncoder(c.Out).Encode(a.JSON)
	}
	before := "["
	for one := range elements {
		text, err := json.Marshal(one)
		if err != nil {
			return err
		}
		_, _ = out.WriteString(before)
		if _, err := out.Write(text); err != nil {
			return err
		}
		before = ","
	}
	_, _ = out.WriteString(strings.TrimSuffix(before, ",") + "]\n")
	return out.Flush()
}

// JoinFlagText returns the first takes arguments, and appends the rest to the text of flag. ssh sends a text without
// its quotes. Its words after the first therefore arrive as arguments. If flag is not set, JoinFlagText returns args.
func (c *Call) JoinFlagText(args []string, takes int, flag string) []string {
	text := c.Flags.Lookup(flag)
	if len(args) <= takes || !text.Changed {
		return args
	}
	_ = text.Value.Set(text.Value.String() + " " + strings.Join(args[takes:], " ")) // a text flag accepts any value
	c.RecordObject = strings.Join(args[:takes], " ")
	return args[:takes]
}

// Run runs a command line on root. An error is written to e.Err as one line, and returned along with the exit status.
func Run(ctx context.Context, e Env, root Command, words []string) (ExitCode, error) {
	if e.IsRemote {
		root.Sub = commandsFor(root.Sub, words)
	}
	return Execute(ctx, New(e, root), words, (*cobra.Command).ExecuteContext)
}

// Execute runs a command line on a tree of [New]. execute is cobra's ExecuteContext or a wrapper of it.
func Execute(
	ctx context.Context, root *cobra.Command, words []string, execute func(*cobra.Command, context.Context) error,
) (ExitCode, error) {
	root.SetArgs(withHyphens(root, words))
	err := execute(root, ctx)
	help := ""
	if err != nil {
		cmd, _, unknown := root.Find(words)
		if unknown != nil {
			cmd = root
		}
		help = root.CommandPath() + " help"
		if cmd.Name() != "help" {
			help += strings.TrimPrefix(cmd.CommandPath(), root.CommandPath())
		}
	}
	return Report(root.ErrOrStderr(), err, help), err
}

// commandsFor returns only the command that words name, or all commands if the first word names no command.
func commandsFor(commands []Command, words []string) []Command {
	startsWithDash := func(word string) bool { return strings.HasPrefix(word, "–") || strings.HasPrefix(word, "—") }
	if len(words) == 0 || slices.ContainsFunc(words, startsWithDash) { // withHyphens looks for flags in the whole tree
		return commands
	}
	i := slices.IndexFunc(commands, func(c Command) bool {
		name, _, _ := strings.Cut(c.Use, " ")
		return name == words[0]
	})
	if i < 0 {
		return commands
	}
	return commands[i : i+1]
}

// withHyphens returns words with "--" in place of a dash before the name of a flag, because web pages and word
// processors turn "--" into a dash. The result is never nil, because cobra then takes the arguments of the process.
func withHyphens(root *cobra.Command, words []string) []string {
	typed := append([]string{}, words...)
	for i, word := range typed {
		flag := strings.TrimLeft(word, "–—")
		name, _, _ := strings.Cut(flag, "=")
		isOf := func(cmd *cobra.Command) bool { return cmd.Flags().Lookup(name) != nil }
		if flag != word && (name == "help" || slices.ContainsFunc(withDescendants(root), isOf)) {
			typed[i] = "--" + flag
		}
	}
	return typed
}

func withDescendants(cmd *cobra.Command) []*cobra.Command {
	found := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		found = append(found, withDescendants(sub)...)
	}
	return found
}

// IsCompletionRequest reports whether a command line calls one of cobra's hidden commands for completion. Over SSH
// the caller must refuse such a line, because cobra would write errors to the server's log.
func IsCompletionRequest(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, cobra.ShellCompRequestCmd) })
}

// newHelpCommand replaces cobra's help command, because cobra's exits with success for an unknown topic.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Explain a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noArguments(cmd.Root(), args)
			}
			topic.InitDefaultHelpFlag()
			return Failure(topic.Help())
		},
	}
}
