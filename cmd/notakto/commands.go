package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/match/journal/natsd"
	"notakto/sshapp/command"
	"notakto/sshapp/wording"
)

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

Without a command this is the server: start it, then play with
    ssh -p 2222 localhost
A setting is a flag, a variable or a line of a file. notakto config prints all of them, the help those that most
servers need.
What needs a server is asked of one:
    ssh HOST COMMAND`

// newRoot returns the command tree of the local program: the commands for everyone and those for the operator. Its own
// action is that of serve.
func newRoot() *cobra.Command {
	root := command.New(command.Env{
		Name: "notakto", Version: version(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Data: dataDirectory,
	})
	root.Long = about
	root.Example = "notakto --listen 127.0.0.1:2222\nNOTAKTO_LISTEN=:22 notakto serve"
	serving(root)
	root.AddCommand(newServe(), newHealth(), newAdmin(), newCluster(), newConfig(), newMan(), newCompletion())
	root.AddCommand(newBackup(), newVerify(), newRestore(), newExport(), newImport(), newForget())
	return root
}

// shortenHelp leaves out of the help those settings that few servers need. The completions have them.
func shortenHelp(root *cobra.Command) {
	for _, cmd := range append(root.Commands(), root) {
		each(cmd.Flags(), func(f *pflag.Flag) { f.Hidden = !has(f, isCommon) })
	}
}

// isColorTerminal reports whether f may be sent colours: it is a terminal that supports them, and NO_COLOR is not set.
// Otherwise a library would still send bold, and query the terminal for its background.
func isColorTerminal(f *os.File) bool {
	term := os.Getenv("TERM")
	if os.Getenv("NO_COLOR") != "" || term == "" || term == "dumb" {
		return false
	}
	return isTerminal(f)
}

// newCompletion replaces cobra's own command, which exits with success for a shell that it does not know.
func newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion [shell]",
		Short:     "Print the completions for bash, zsh, fish or powershell",
		Long:      "Print a script with which a shell completes notakto's commands and flags.",
		Example:   "notakto completion bash > /etc/bash_completion.d/notakto",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && completionFor(args[0]) != nil {
				return nil
			}
			return fmt.Errorf("completion takes the name of one shell: %s; it got %.40q%s", strings.Join(shells, ", "),
				strings.Join(args, " "), wording.Suggest("", strings.Join(args, ""), shells))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := completionFor(args[0])(cmd.Root(), cmd.OutOrStdout()); err != nil {
				return command.RuntimeError(fmt.Errorf("cannot print the completions: %w", err))
			}
			return nil
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

// version returns what the linker was told about this program or, where it was told nothing, what Go recorded.
func version() command.Version {
	name := release
	if build, ok := debug.ReadBuildInfo(); ok {
		name = cmp.Or(name, build.Main.Version)
	}
	return command.Version{
		Version: cmp.Or(name, "(devel)"), Revision: cmp.Or(revision, buildSetting("vcs.revision")),
		Modified: revision == "" && buildSetting("vcs.modified") == "true", Go: runtime.Version(), Data: natsd.Format,
	}
}

// buildSetting returns what Go recorded under a key when it built the program; empty without one.
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

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Long:    "Print the manual page of all commands and settings.",
		Example: "notakto man | man -l -\nnotakto man > /usr/share/man/man1/notakto.1",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), manual(cmd.Root()))
			return command.RuntimeError(err)
		},
	}
}

// manual returns the manual page, in the macros of man(7).
func manual(root *cobra.Command) string {
	page := new(manPage)
	page.macro("TH", "NOTAKTO", "1", buildDate(), "notakto", "User Commands")
	page.section("NAME", `notakto \- play Notakto over SSH`)
	page.section("SYNOPSIS", `\fBnotakto\fR [\fICOMMAND\fR] [\fIFLAG\fR ...]`)
	page.section("DESCRIPTION", escaped(root.Long))
	page.section("COMMANDS")
	page.commands(root)
	page.section("SETTINGS", escaped("A setting's value is the first of these that there is: its flag, its variable, its "+
		"line in the file, its default. In the file its key is the name of the flag. SIGHUP reads variables and the file "+
		"again, and applies the changes that do not need a restart."))
	page.settings()
	page.section("FILES")
	page.item(`\fB`+escaped(defaultConfig)+`\fR`, escaped("settings, if no other file is named"))
	page.section("EXIT STATUS")
	page.item("0", "success; for the server, that a signal stopped it")
	page.item("1", "the command failed")
	page.item("2", "the command line or a setting is not valid, and nothing was opened")
	page.section("SEE ALSO", `\fBssh\fR(1)`)
	return page.String()
}

// buildDate returns the day of the commit that the program was built from, so that two builds print one page.
func buildDate() string {
	day, _, _ := strings.Cut(buildSetting("vcs.time"), "T")
	return cmp.Or(day, "1970-01-01")
}

// manPage is a manual page in the making.
type manPage struct{ strings.Builder }

func (p *manPage) macro(name string, args ...string) {
	_, _ = fmt.Fprintf(p, ".%s", name) // a builder never fails
	for _, arg := range args {
		_, _ = fmt.Fprintf(p, " %q", arg)
	}
	p.WriteByte('\n')
}

func (p *manPage) section(title string, text ...string) {
	p.macro("SH", title)
	p.text(text...)
}

// item writes a tagged paragraph.
func (p *manPage) item(tag, text string) {
	p.macro("TP")
	p.text(tag, text)
}

// text writes paragraphs; lines that begin with a space stay as they are.
func (p *manPage) text(all ...string) {
	for _, text := range all {
		for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
			switch {
			case line == "":
				p.macro("PP")
			case line[0] == ' ':
				p.WriteString(".RS 4\n.nf\n" + strings.TrimSpace(line) + "\n.fi\n.RE\n")
			default:
				p.WriteString(line + "\n")
			}
		}
	}
}

func (p *manPage) commands(parent *cobra.Command) {
	for _, cmd := range parent.Commands() {
		if !cmd.IsAvailableCommand() {
			continue
		}
		p.macro("SS", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		p.text(escaped(cmp.Or(cmd.Long, cmd.Short)))
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !has(f, aboutSetting) && f.Name != "help" {
				kind, usage := pflag.UnquoteUsage(f)
				p.item(flagTag(f.Name, kind), escaped(usage))
			}
		})
		p.commands(cmd)
	}
}

func (p *manPage) settings() {
	group := ""
	each(newConfiguration().flags, func(f *pflag.Flag) {
		about := f.Annotations[aboutSetting]
		if about[0] != group {
			group = about[0]
			p.macro("SS", group)
		}
		text := escaped(sentence(about[1]) + " " + plainText(about[2]))
		p.item(flagTag(f.Name, f.Value.Type()), text)
		p.text(".br", escaped("Variable "+variable(f.Name)+"; default "+shownDefault(f)+"."))
	})
}

func flagTag(name, kind string) string {
	tag := `\fB` + escaped("--"+name) + `\fR`
	if kind != "" {
		tag += ` \fI` + escaped(kind) + `\fR`
	}
	return tag
}

// shownDefault returns the default of a setting, in words that hold for every user.
func shownDefault(f *pflag.Flag) string {
	if f.Name == "data" {
		return "$XDG_DATA_HOME/notakto"
	}
	return cmp.Or(f.DefValue, "none")
}

// sentence returns a line of help as a sentence.
func sentence(usage string) string { return strings.ToUpper(usage[:1]) + usage[1:] + "." }

var markdownLink = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// plainText returns Markdown without its signs.
func plainText(markdown string) string {
	return strings.ReplaceAll(markdownLink.ReplaceAllString(markdown, "$1"), "`", "")
}

// escaped returns text in which troff finds nothing to do.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
