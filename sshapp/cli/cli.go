// Package cli makes command lines of plain values: a [Command] says how it is used, who may give it and what it
// answers, and [Run] does the rest for all of them. It parses the words with cobra, guards the role, prints the
// [Answer] in words or with --json, has the command recorded, writes an error as one line and returns the exit status.
//
// The commands themselves stand in player, admin and cmd/notakto. The sshapp package runs a command line for each
// session that has one, cmd/notakto for the process.
//
// A session makes only the one command that its line names: the whole tree costs more memory than the rest of a session
// that lasts for hours. Whoever asks for help, mistypes a name or uses the local program gets the tree.
//
// Everything runs in the goroutine of the caller. The package starts none.
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

// Role is what a client may do besides playing.
type Role string

// The roles. Each may do what those before it may.
const (
	Player        Role = ""
	Moderator     Role = "moderator"
	Administrator Role = "admin"
)

// Env is the way by which a command line came in.
type Env struct {
	Name     string    // what is typed before the command: "notakto", or "ssh HOST"
	Version  string    // as --version says it
	In       io.Reader // ends when the client has gone
	Out, Err io.Writer // a Write that never returns holds up the command; the caller has to make it fail some time
	IsRemote bool      // the line came over SSH: no shell completes it
	Role     Role
	Record   func(Record) // is called after each command that is not for players; may be nil
}

// Record says who was done what by a command that is not for players, as the log, the audit and the counters have it.
type Record struct {
	Command string `json:"command"` // the words behind admin, such as "ban add"
	Object  string `json:"object"`  // what it was done to, as it was named
	Reason  string `json:"reason"`  // the administrator's
	Status  string `json:"status"`  // ok, failed or refused
}

// How a recorded command has ended.
const (
	StatusOK      = "ok"
	StatusFailed  = "failed"
	StatusRefused = "refused" // to the role
)

// ReasonFlag is the flag whose text becomes [Record].Reason.
const ReasonFlag = "reason"

var errModerator = errors.New("this is for administrators: your key has the role moderator")

// Command is a command, or a group of them.
type Command struct {
	Use, Short, Long, Example string // as of cobra
	Aliases                   []string
	Role                      Role                 // that it needs; to players a command with one does not exist
	Args                      Args                 // nil for none
	Words                     []string             // that a shell may offer for an argument
	TakesFiles                bool                 // a shell may offer the names of files
	JSON                      bool                 // it takes --json
	Flags                     func(*pflag.FlagSet) // nil for none; they belong to this making of the command
	Choices                   map[string][]string  // that a shell may offer for a flag
	Exclusive                 []string             // flags of which one may be given
	Run                       Action               // nil for a group, which prints its help
	Sub                       []Command
}

// Action does what a command line asks for. An error that it returns is a failure, unless it is marked by [Usage].
type Action func(ctx context.Context, c *Call, args []string) (Answer, error)

// Args returns an error if these are not the arguments that a command takes.
type Args func(c *Call, args []string) error

// Call is one run of a command.
type Call struct {
	Path     string // the words of the command, such as "notakto ban add"
	Flags    *pflag.FlagSet
	In       io.Reader
	Out, Err io.Writer
	Object   string // for [Record]; empty for the arguments as they were typed

	cmd *cobra.Command
}

// Answer is what a command prints. One without Text has printed already.
type Answer struct {
	JSON any           // an iter.Seq[any] is an array that is written element by element
	Text func(say Say) // in words
}

// Say writes one line. Errors of the writer are reported after all lines.
type Say func(format string, values ...any)

// Line returns an answer of one line.
func Line(format string, values ...any) Answer {
	return Answer{Text: func(say Say) { say(format, values...) }}
}

// New makes the whole tree of a root command for e.
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
	// Every page of help leads to others by words alone: OpenSSH's client takes flags behind HOST for its own.
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

// newCommand makes a command and those below it. name has the words behind the first one of its group.
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

// run runs a command for those who may give it, prints its answer and records it.
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

// print writes an answer as the command line asks for it.
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

// OwnWords returns the first arguments of a command, as many as it takes, if the others belong to the text of a flag:
// ssh sends words without the quotes around them. Without that flag it returns all.
func (c *Call) OwnWords(args []string, takes int, flag string) []string {
	text := c.Flags.Lookup(flag)
	if len(args) <= takes || !text.Changed {
		return args
	}
	_ = text.Value.Set(text.Value.String() + " " + strings.Join(args[takes:], " ")) // a text takes all
	c.Object = strings.Join(args[:takes], " ")
	return args[:takes]
}

// Run runs a command line on a root command, writes what went wrong as one line to e.Err and returns the exit status.
// The error is what went wrong.
func Run(ctx context.Context, e Env, root Command, words []string) (ExitCode, error) {
	if e.IsRemote {
		root.Sub = needed(root.Sub, words)
	}
	return Execute(ctx, New(e, root), words, (*cobra.Command).ExecuteContext)
}

// Execute is [Run] on a tree of [New]; execute runs the tree.
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

// needed returns the one of commands that a command line names, or all if it does not simply name one.
func needed(commands []Command, words []string) []Command {
	startsWithDash := func(word string) bool { return strings.HasPrefix(word, "–") || strings.HasPrefix(word, "—") }
	if len(words) == 0 || slices.ContainsFunc(words, startsWithDash) { // withHyphens knows the flags of all commands
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

// all returns a command and those below it.
func all(cmd *cobra.Command) []*cobra.Command {
	found := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		found = append(found, all(sub)...)
	}
	return found
}

// IsCompletionRequest reports whether a command line asks, by one of cobra's hidden commands, what a word could become.
// Cobra complains of such a line on the process's own standard error: only for the local program that is where the
// person who asks reads it.
func IsCompletionRequest(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, cobra.ShellCompRequestCmd) })
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
				return noArguments(cmd.Root(), args)
			}
			topic.InitDefaultHelpFlag()
			return Failure(topic.Help())
		},
	}
}
