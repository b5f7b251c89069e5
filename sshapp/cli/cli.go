// Package cli runs command lines. A [Command] is a value with a command's usage, role and action. [Run] does the
// rest for all commands. It parses the words with cobra, checks the role, prints the [Answer] in words or as JSON,
// calls Env.Record, writes an error as one line and returns the exit status.
//
// The commands stand in the packages player and admin, and in cmd/notakto. The sshapp package calls Run for each
// session with a command line. The local program calls [New] and [Execute].
//
// For a session, Run makes only the command that the line names. To make the tree of all commands costs four times
// the processor time. Only help and mistyped names need the whole tree.
//
// Everything runs in the goroutine of the caller.
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

// Role says which commands a client may give in addition to those of players.
type Role string

// The roles, in ascending order. Each role may also give the commands of the lower roles.
const (
	Player        Role = ""
	Moderator     Role = "moderator"
	Administrator Role = "admin"
)

// Env describes where a command line comes from.
type Env struct {
	Name     string    // what the user types before the command: "notakto", or "ssh HOST"
	Version  string    // what --version prints
	In       io.Reader // ends when the client has gone
	Out, Err io.Writer // a Write that does not return holds up the command, so the caller must make it fail in time
	IsRemote bool      // the line came over SSH, where no shell completes words
	Role     Role
	Record   func(Record) // called after each command whose role is not Player; may be nil
}

// Record describes a command of administrators for the log, the audit and the counters.
type Record struct {
	Command string `json:"command"` // the words after admin, such as "ban add"
	Object  string `json:"object"`  // account, session, match or the like, as the administrator named it
	Reason  string `json:"reason"`  // the text of --reason
	Status  string `json:"status"`  // ok, failed or refused
}

// The values of Record.Status.
const (
	StatusOK      = "ok"
	StatusFailed  = "failed"
	StatusRefused = "refused" // the role does not allow the command
)

// ReasonFlag is the name of the flag whose text becomes [Record].Reason.
const ReasonFlag = "reason"

var errModerator = errors.New("this is for administrators: your key has the role moderator")

// Command is a command, or a group of them.
type Command struct {
	Use, Short, Long, Example string // as in cobra
	Aliases                   []string
	Role                      Role                 // the role that a client needs; players see only commands of Player
	Args                      Args                 // nil for none
	Words                     []string             // values that a shell may offer for an argument
	TakesFiles                bool                 // a shell may offer the names of files
	JSON                      bool                 // it takes --json
	Flags                     func(*pflag.FlagSet) // adds its flags; may be nil
	Choices                   map[string][]string  // by flag: values that a shell may complete
	Exclusive                 []string             // flags of which a line may have only one
	Run                       Action               // if nil, the command prints its help
	Sub                       []Command
}

// Action does what a command line asks for. Its error counts as a failure, unless [Usage] marks it.
type Action func(ctx context.Context, c *Call, args []string) (Answer, error)

// Args returns an error if a command does not take these arguments.
type Args func(c *Call, args []string) error

// Call is one run of a command.
type Call struct {
	Path     string // the words of the command, such as "notakto ban add"
	Flags    *pflag.FlagSet
	In       io.Reader
	Out, Err io.Writer
	Object   string // for the record; if empty, the record has the arguments as typed

	cmd *cobra.Command
}

// Answer holds the output of a command, in both forms. A command that has written its output itself returns an
// Answer without Text.
type Answer struct {
	JSON any           // an iter.Seq[any] is an array that is written element by element
	Text func(say Say) // writes the answer in words
}

// Say writes one line. An error of the writer is reported after the last line.
type Say func(format string, values ...any)

// Line returns an answer of one line.
func Line(format string, values ...any) Answer {
	return Answer{Text: func(say Say) { say(format, values...) }}
}

// New makes the root command for e, with all commands below it.
func New(e Env, root Command) *cobra.Command {
	cmd := e.newCommand(root, "")
	cmd.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: e.Name}
	cmd.Version = e.Version
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetIn(e.In)
	cmd.SetOut(e.Out)
	cmd.SetErr(e.Err)
	cmd.SetVersionTemplate("notakto {{.Version}}\n")
	cmd.SetFlagErrorFunc(explainFlag)
	cmd.CompletionOptions.DisableDefaultCmd = true
	// Help pages refer to each other by "help COMMAND": OpenSSH's client takes flags after HOST as its own.
	cmd.SetHelpCommand(newHelp())
	cmd.InitDefaultHelpCmd()
	cmd.SetUsageTemplate(strings.Replace(cmd.UsageTemplate(), "{{.CommandPath}} [command] --help",
		"{{.Root.CommandPath}} help{{slice .CommandPath (len .Root.CommandPath)}} COMMAND", 1))
	if e.IsRemote {
		cmd.InitDefaultVersionFlag()
		for _, c := range all(cmd) {
			c.InitDefaultHelpFlag()
			c.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name == "help" || f.Name == "version" })
		}
	}
	return cmd
}

// newCommand makes a command and the commands below it. name holds the words of its path below the root.
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
		cmd.Flags().Bool("json", false, "one JSON value")
	}
	if c.Flags != nil {
		c.Flags(cmd.Flags())
	}
	if len(c.Exclusive) > 0 {
		cmd.MarkFlagsMutuallyExclusive(c.Exclusive...)
	}
	for flag, choices := range c.Choices {
		if e.IsRemote { // cobra would keep the choices, and with them the flag, until the process ends
			break
		}
		err := cmd.RegisterFlagCompletionFunc(flag,
			cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
		if err != nil {
			panic(err) // there is no such flag
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

func newCall(cmd *cobra.Command) *Call {
	return &Call{
		Path: cmd.CommandPath(), Flags: cmd.Flags(),
		In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(), cmd: cmd,
	}
}

// Help prints the help of the command.
func (c *Call) Help() error { return c.cmd.Help() }

// run checks the role, runs the command, prints its answer and records it.
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
		_, name, _ = strings.Cut(name, " ") // behind admin
		r := Record{Command: name, Object: cmp.Or(call.Object, strings.Join(args, " ")), Status: status}
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

// print writes an answer in words, or as JSON if --json is set.
func (c *Call) print(a Answer) error {
	out := bufio.NewWriter(c.Out) // keeps the first error for Flush
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

// OwnWords returns the first takes arguments, and appends the others to the text of a flag. ssh sends a text of
// several words without its quotes, so the words after the first arrive as arguments. If the flag is not set,
// OwnWords returns args.
func (c *Call) OwnWords(args []string, takes int, flag string) []string {
	text := c.Flags.Lookup(flag)
	if len(args) <= takes || !text.Changed {
		return args
	}
	_ = text.Value.Set(text.Value.String() + " " + strings.Join(args[takes:], " ")) // a text takes all
	c.Object = strings.Join(args[:takes], " ")
	return args[:takes]
}

// Run runs a command line on a root command. It writes an error as one line to e.Err, and returns it with the exit
// status.
func Run(ctx context.Context, e Env, root Command, words []string) (ExitCode, error) {
	if e.IsRemote {
		root.Sub = commandsFor(root.Sub, words)
	}
	return Execute(ctx, New(e, root), words, (*cobra.Command).ExecuteContext)
}

// Execute runs a command line on the tree root, which [New] returned. execute is cobra's ExecuteContext, or wraps
// it.
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

// commandsFor returns the command that a command line names, or all commands if its first word names none.
func commandsFor(commands []Command, words []string) []Command {
	startsWithDash := func(word string) bool { return strings.HasPrefix(word, "–") || strings.HasPrefix(word, "—") }
	if len(words) == 0 || slices.ContainsFunc(words, startsWithDash) { // withHyphens needs the flags of all commands
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

// withHyphens returns words with "--" in place of a dash before the name of a flag of the tree. Web pages and word
// processors turn "--" into a dash. The result is never nil, because cobra would then take the arguments of the
// process.
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

// all returns a command and all commands below it.
func all(cmd *cobra.Command) []*cobra.Command {
	found := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		found = append(found, all(sub)...)
	}
	return found
}

// IsCompletionRequest reports whether a command line calls one of cobra's hidden commands for completion. Over SSH
// the caller must refuse such a line, because cobra would write errors to the server's log.
func IsCompletionRequest(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, cobra.ShellCompRequestCmd) })
}

// newHelp returns the command help. cobra's own one exits with success when the topic does not exist.
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
				return noArguments(cmd.Root(), args)
			}
			topic.InitDefaultHelpFlag()
			return Failure(topic.Help())
		},
	}
}
