// Command notakto is a server for playing Notakto over SSH, with the commands of its operator.
//
// settings.register is the one table of the settings. Their values come from flags, variables and a file
// (configuration). open creates the parts of the server in the order of their dependencies and returns an app. app.run
// serves until a signal, and stops the parts in reverse order.
//
// Some commands ask a running server through its control socket (askControl), or open the data (administer).
//
// The main goroutine runs app.run. The fields of app need no lock, because only the main goroutine changes them after
// open. Goroutines of SSH, the sockets and the log read only atomic and fixed fields.
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
	_ "golang.org/x/crypto/x509roots/fallback" // public certificate authorities, for a system without files of them

	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

func main() {
	os.Exit(int(execute(context.Background())))
}

func execute(ctx context.Context) cli.ExitCode {
	root, words, run := newRoot(), os.Args[1:], (*cobra.Command).ExecuteContext
	if asksHelp(words) {
		// Help lists the common settings. Completions list every setting.
		for _, cmd := range append(root.Commands(), root) {
			eachSetting(cmd.Flags(), func(f *pflag.Flag) { f.Hidden = !hasAnnotation(f, commonKey) })
		}
		if isColorTerminal(os.Stdout) && isColorTerminal(os.Stderr) {
			run = func(root *cobra.Command, ctx context.Context) error {
				return fang.Execute(ctx, root, fang.WithoutVersion(), fang.WithoutManpage(),
					fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {})) // cli.Execute prints the error
			}
		}
	}
	status, _ := cli.Execute(ctx, root, words, run)
	return status
}

// asksHelp reports whether words ask for a help page. fang queries the terminal for its colors, and only a help page
// is worth that time.
func asksHelp(words []string) bool {
	return len(words) > 0 && words[0] == "help" || slices.Contains(words, "--help") || slices.Contains(words, "-h")
}

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

Without a command it runs the server. Start it, then play with
    ssh -p 2222 localhost
A setting is a flag, an environment variable or a line of a file. notakto config prints all settings; the help lists
those that most servers need.
Some commands need a server. Give them there:
    ssh HOST COMMAND`

// newRoot returns the command tree of the local program, with the commands for everyone and those of the operator.
// Without a command the program runs serve.
func newRoot() *cobra.Command {
	root := player.Root(player.Env{Name: "notakto", Version: version(), Data: openData})
	root.Long = about
	root.Example = "notakto --listen 127.0.0.1:2222\nNOTAKTO_LISTEN=:22 notakto serve"
	serve := serveCommand()
	root.Flags, root.Choices, root.Run = serve.Flags, serve.Choices, serve.Run
	root.Sub = append(root.Sub, serve, healthCommand(), adminCommand(), configCommand(), manCommand(), completionCommand(),
		backupCommand(), verifyCommand(), restoreCommand(), checkCommand(), rebuildCommand(), exportCommand(),
		importCommand(), forgetCommand(), hostKeyCommand())
	return cli.New(cli.Env{
		Name: "notakto", Version: version().String(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
	}, root)
}

// isColorTerminal reports whether f is a terminal with colors and NO_COLOR is not set. Without this check a library
// would send bold text and query the background of the terminal.
func isColorTerminal(f *os.File) bool {
	term := os.Getenv("TERM")
	if os.Getenv("NO_COLOR") != "" || term == "" || term == "dumb" {
		return false
	}
	return isTerminal(f)
}

// completionCommand replaces cobra's command, because cobra's exits with success for an unknown shell.
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

// release and revision are set by the linker when a release is built (-X main.release=1.2.3 -X main.revision=COMMIT).
// The linker can set only variables.
var (
	release  string //nolint:gochecknoglobals // see above; nothing writes it at run time
	revision string //nolint:gochecknoglobals // as above
)

// version returns the release and revision that the linker has set. Without them it returns what Go recorded in the
// build.
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
