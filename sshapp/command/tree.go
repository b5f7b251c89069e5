package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
