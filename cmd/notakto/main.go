// Command notakto is a server for playing Notakto over SSH, and the commands of its operator.
//
// One table describes the settings (settings.register), which come from flags, variables and a file (configuration).
// open makes the parts of the server in the order of their dependencies, and returns an app. app.run serves until a
// signal, and stops the parts in reverse order. The other commands use the control socket of a running server, or the
// data directory of a stopped one.
//
// The main goroutine runs app.run, which alone reloads settings and decides about a stop. Other goroutines serve SSH,
// the control socket and the status, write the log, and tell systemd's watchdog that the program works.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

func main() {
	os.Exit(int(execute(context.Background())))
}

// execute runs the command line and returns the exit status.
func execute(ctx context.Context) cli.ExitCode {
	root, words, run := newRoot(), os.Args[1:], (*cobra.Command).ExecuteContext
	if asksHelp(words) {
		for _, cmd := range append(root.Commands(), root) { // few servers need the other settings; the completions have them
			each(cmd.Flags(), func(f *pflag.Flag) { f.Hidden = !has(f, isCommon) })
		}
		if isColorTerminal(os.Stdout) && isColorTerminal(os.Stderr) {
			run = func(root *cobra.Command, ctx context.Context) error {
				return fang.Execute(ctx, root, fang.WithVersion(root.Version), fang.WithoutManpage(),
					fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {})) // cli writes the error
			}
		}
	}
	status, _ := cli.Execute(ctx, root, words, run)
	return status
}

// asksHelp reports whether words ask for a help page. Only then is it worth querying the terminal for its colours.
func asksHelp(words []string) bool {
	return len(words) > 0 && words[0] == "help" || slices.Contains(words, "--help") || slices.Contains(words, "-h")
}

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

Without a command this is the server: start it, then play with
    ssh -p 2222 localhost
A setting is a flag, a variable or a line of a file. notakto config prints all of them, the help those that most
servers need.
What needs a server is asked of one:
    ssh HOST COMMAND`

// newRoot returns the command tree of the local program, with the commands for everyone and those for the operator.
// Without a command it runs serve.
func newRoot() *cobra.Command {
	root := player.Root(player.Env{Name: "notakto", Version: version(), Data: openData})
	root.Long = about
	root.Example = "notakto --listen 127.0.0.1:2222\nNOTAKTO_LISTEN=:22 notakto serve"
	serve := serveCommand()
	root.Flags, root.Choices, root.Run = serve.Flags, serve.Choices, serve.Run
	root.Sub = append(root.Sub, serve, healthCommand(), adminCommand(), configCommand(), manCommand(), completionCommand(),
		backupCommand(), verifyCommand(), restoreCommand(), checkCommand(), rebuildCommand(), exportCommand(),
		importCommand(), forgetCommand())
	return cli.New(cli.Env{
		Name: "notakto", Version: version().String(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
	}, root)
}

// isColorTerminal reports whether f is a terminal with colours and NO_COLOR is not set. Without this check a library
// would send bold text and query the background of the terminal.
func isColorTerminal(f *os.File) bool {
	term := os.Getenv("TERM")
	if os.Getenv("NO_COLOR") != "" || term == "" || term == "dumb" {
		return false
	}
	return isTerminal(f)
}

// completionCommand replaces cobra's own command, because that one exits with success for an unknown shell.
func completionCommand() cli.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return cli.Command{
		Use: "completion [shell]", Short: "Print the completions for bash, zsh, fish or powershell", Words: shells,
		Long:    "Print a script with which a shell completes notakto's commands and flags.",
		Example: "notakto completion bash > /etc/bash_completion.d/notakto",
		Args: func(_ *cli.Call, args []string) error {
			if len(args) == 1 && completionFor(args[0]) != nil {
				return nil
			}
			return fmt.Errorf("completion takes the name of one shell: %s; it got %.40q%s", strings.Join(shells, ", "),
				strings.Join(args, " "), wording.Suggest("", strings.Join(args, ""), shells))
		},
		Run: func(_ context.Context, c *cli.Call, args []string) (a cli.Answer, err error) {
			if err = completionFor(args[0])(newRoot(), c.Out); err != nil {
				err = fmt.Errorf("cannot print the completions: %w", err)
			}
			return a, err
		},
	}
}

func completionFor(shell string) func(*cobra.Command, io.Writer) error {
	switch shell {
	case "bash":
		return func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) }
	case "zsh":
		return (*cobra.Command).GenZshCompletion
	case "fish":
		return func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) }
	case "powershell":
		return (*cobra.Command).GenPowerShellCompletionWithDesc
	default:
		return nil
	}
}

// The linker sets release and revision (-X main.release=1.2.3 -X main.revision=COMMIT) when a release is built;
// variables are the only things it can set.
var (
	release  string //nolint:gochecknoglobals // see above; nothing writes it at run time
	revision string //nolint:gochecknoglobals // as above
)

// version returns the release and revision that the linker has set, or else those that Go has recorded.
func version() player.Version {
	name := release
	if build, ok := debug.ReadBuildInfo(); ok {
		name = cmp.Or(name, build.Main.Version)
	}
	return player.Version{
		Version: cmp.Or(name, "(devel)"), Revision: cmp.Or(revision, buildSetting("vcs.revision")),
		Modified: revision == "" && buildSetting("vcs.modified") == "true", Go: runtime.Version(), Data: store.Schema,
	}
}

// buildSetting returns a setting that Go recorded when it built the program, or "" without one.
func buildSetting(key string) string {
	build, _ := debug.ReadBuildInfo()
	if build == nil {
		return ""
	}
	for _, s := range build.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
