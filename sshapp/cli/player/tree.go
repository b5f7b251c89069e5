package player

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/sshapp/wording"
)

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

With a terminal and no command, the game begins: ssh -t HOST`

// New is the tree of a front end. Its root, which is what a command line without a command does, says how to play;
// a front end with more to offer there, or further commands, adds them.
func New(e Env) *cobra.Command {
	e.Host = cmp.Or(e.Host, wording.NoHost)
	root := &cobra.Command{
		Use:           "notakto",
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: e.Name},
		Long:          about,
		Version:       e.Version.String(),
		Args:          NoArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), fmt.Errorf("the game needs a terminal, ssh -t %s; without one, "+
				"ssh %s plain is played line by line", e.Host, e.Host))
		},
	}
	root.SetIn(e.In)
	root.SetOut(e.Out)
	root.SetErr(e.Err)
	root.SetVersionTemplate("notakto {{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(
		newPlay(e), newJoin(e), newWatch(e), newPlain(e), newBot(e), newMatches(e),
		newAnalyse(e), newOpening(e), newCard(e), newCast(e), newShow(e), newProfile(e), newHistory(e), newLadder(e),
		newClassic(e), newRules(e), newVersion(e),
		newMe(e), newName(e), newKey(e),
	)
	root.AddCommand(e.More...)
	if e.Host == wording.NoHost {
		root.Long += "\nHOST is what you type after ssh, such as -p 2222 localhost."
	}
	root.Long = strings.ReplaceAll(root.Long, wording.NoHost, e.Host)
	for _, cmd := range all(root) {
		cmd.Example = strings.ReplaceAll(cmd.Example, wording.NoHost, e.Host)
		if cmd.ValidArgs == nil { // no command takes files
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
	e.configureHelp(root)
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
func (e Env) completeFlag(cmd *cobra.Command, flag string, choices ...string) {
	if e.Server != nil {
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag,
		cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// NoArguments refuses what is left on the command line, as a command that was meant or as an argument too many.
func NoArguments(cmd *cobra.Command, args []string) error {
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

func names(cmd *cobra.Command) []string {
	var all []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			all = append(all, sub.Name())
		}
	}
	return all
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

// configureHelp has every page of help lead to others by words alone, and over SSH say nothing of the flags that words
// take the place of.
func (e Env) configureHelp(root *cobra.Command) {
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{.CommandPath}} [command] --help",
		"{{.Root.CommandPath}} help{{slice .CommandPath (len .Root.CommandPath)}} COMMAND", 1))
	if e.Server == nil {
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
