package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/sshapp/cli"
)

func manCommand() cli.Command {
	return cli.Command{
		Use: "man", Short: "Print the manual page", Long: "Print the manual page of all commands and settings.",
		Example: "notakto man | man -l -\nnotakto man > /usr/share/man/man1/notakto.1",
		Run: func(_ context.Context, c *cli.Call, _ []string) (cli.Answer, error) {
			_, err := io.WriteString(c.Out, manual(newRoot()))
			return cli.Answer{}, err
		},
	}
}

func manual(root *cobra.Command) string {
	page := new(manPage)
	day, _, _ := strings.Cut(buildSetting("vcs.time"), "T") // the commit's date, for reproducible builds
	page.macro("TH", "NOTAKTO", "1", cmp.Or(day, "1970-01-01"), "notakto", "User Commands")
	page.section("NAME", `notakto \- play Notakto over SSH`)
	page.section("SYNOPSIS", `\fBnotakto\fR [\fICOMMAND\fR] [\fIFLAG\fR ...]`)
	page.section("DESCRIPTION", escape(root.Long))
	page.section("COMMANDS")
	page.commands(root)
	page.section("SETTINGS", escape("A flag comes before a variable, a variable before a line of the file, and the file "+
		"before the default. In the file the key of a setting is the name of its flag. SIGHUP reads variables and the file "+
		"again, and applies the changes that do not need a restart."))
	page.settings()
	page.section("FILES")
	page.item(`\fB`+escape(defaultConfig)+`\fR`, escape("settings, if no other file is named"))
	page.section("EXIT STATUS")
	page.item("0", "success; for the server: a signal stopped it")
	page.item("1", "the command failed")
	page.item("2", "the command line or a setting is not valid, and nothing was opened")
	page.section("SEE ALSO", `\fBssh\fR(1)`)
	return page.String()
}

type manPage struct{ strings.Builder }

func (m *manPage) macro(name string, args ...string) {
	_, _ = fmt.Fprintf(m, ".%s", name)
	for _, arg := range args {
		_, _ = fmt.Fprintf(m, " %q", arg)
	}
	m.WriteByte('\n')
}

func (m *manPage) section(title string, text ...string) {
	m.macro("SH", title)
	m.text(text...)
}

func (m *manPage) item(tag, text string) {
	m.macro("TP")
	m.text(tag, text)
}

// text writes paragraphs. A line that begins with a space is an example and must not be filled by troff.
func (m *manPage) text(all ...string) {
	for _, text := range all {
		for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
			switch {
			case line == "":
				m.macro("PP")
			case line[0] == ' ':
				m.WriteString(".RS 4\n.nf\n" + strings.TrimSpace(line) + "\n.fi\n.RE\n")
			default:
				m.WriteString(line + "\n")
			}
		}
	}
}

func (m *manPage) commands(parent *cobra.Command) {
	for _, cmd := range parent.Commands() {
		if !cmd.IsAvailableCommand() {
			continue
		}
		m.macro("SS", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		m.text(escape(cmp.Or(cmd.Long, cmd.Short)))
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !hasAnnotation(f, settingKey) && f.Name != "help" {
				kind, usage := pflag.UnquoteUsage(f)
				m.item(flagTag(f.Name, kind), escape(usage))
			}
		})
		m.commands(cmd)
	}
}

func (m *manPage) settings() {
	group := ""
	eachSetting(newConfiguration().flags, func(f *pflag.Flag) {
		about := f.Annotations[settingKey]
		if about[0] != group {
			group = about[0]
			m.macro("SS", group)
		}
		text := escape(sentence(about[1]) + " " + markdown.ReplaceAllString(about[2], "$1"))
		m.item(flagTag(f.Name, f.Value.Type()), text)
		m.text(".br", escape("Variable "+variable(f.Name)+"; default "+shownDefault(f)+"."))
	})
}

func flagTag(name, kind string) string {
	tag := `\fB` + escape("--"+name) + `\fR`
	if kind != "" {
		tag += ` \fI` + escape(kind) + `\fR`
	}
	return tag
}

// shownDefault returns the default of a setting in a form that is true for every user.
func shownDefault(f *pflag.Flag) string {
	if f.Name == "data" {
		return "$XDG_DATA_HOME/notakto"
	}
	return cmp.Or(f.DefValue, "none")
}

func sentence(usage string) string { return strings.ToUpper(usage[:1]) + usage[1:] + "." }

// markdown matches links and code. Its first group is the text of a link.
var markdown = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)|` + "`")

// escape escapes the characters of text that are special in troff.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
