package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/sshapp/command"
)

const aboutConfig = `Print every setting with its value, and where that comes from.

A setting's value is the first of these that there is: its flag, its variable, its line in the file, its default.
It takes the same flags as the server. Files with secrets are only named.`

func newConfig() *cobra.Command {
	asJSON, check, example := false, false, false
	cmd := &cobra.Command{
		Use:     "config [FILE]",
		Short:   "Print or check the settings of the server",
		Long:    aboutConfig,
		Example: "notakto config --check " + defaultConfig + "\nnotakto config --example > notakto.toml",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON value")
	cmd.Flags().BoolVar(&check, "check", false,
		"only say whether a server could start with the settings; it opens no port and no data")
	cmd.Flags().BoolVar(&example, "example", false, "print an example of the file, with every setting")
	cmd.MarkFlagsMutuallyExclusive("json", "check", "example")
	addSettings(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		out := cmd.OutOrStdout()
		if example {
			return command.RuntimeError(writeExample(out))
		}
		if len(args) > 0 {
			if err := cmd.Flags().Set("config", args[0]); err != nil {
				return err
			}
		}
		c, err := configured(cmd.Flags())
		if err != nil {
			return err
		}
		for _, warning := range c.unknownVariables() {
			cmd.PrintErrln("notakto: " + warning)
		}
		switch {
		case check:
			return c.validate()
		case asJSON:
			return command.RuntimeError(c.writeJSON(out))
		default:
			return command.RuntimeError(c.writeTable(out))
		}
	}
	return cmd
}

// shown returns the value of a setting without the passwords in a URL.
func shown(f *pflag.Flag) string {
	if f.Value.Type() == "url" {
		return redacted(f.Value.String())
	}
	return f.Value.String()
}

func (c *configuration) writeTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err := fmt.Fprintln(t, "SETTING\tVALUE\tFROM")
	each(c.flags, func(f *pflag.Flag) {
		if err == nil {
			_, err = fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, shown(f), c.origins[f.Name])
		}
	})
	if err != nil {
		return err
	}
	return t.Flush()
}

func (c *configuration) writeJSON(w io.Writer) error {
	type entry struct {
		Value  string `json:"value"`
		Origin string `json:"origin"`
	}
	all := map[string]entry{}
	each(c.flags, func(f *pflag.Flag) { all[f.Name] = entry{shown(f), c.origins[f.Name]} })
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(all)
}

// writeExample writes a file with every setting commented out, which has its default there.
func writeExample(w io.Writer) error {
	_, err := fmt.Fprint(w, "# Settings of a Notakto server. A flag or a variable wins over a line here.\n"+
		"# Try a change with: notakto config --check FILE. Most take effect after: systemctl reload notakto\n"+
		"# All about them: docs/configuration.md\n")
	group := ""
	each(newConfiguration().flags, func(f *pflag.Flag) {
		if err != nil || f.Name == "config" {
			return
		}
		about := f.Annotations[aboutSetting]
		if about[0] != group {
			group = about[0]
			_, err = fmt.Fprintf(w, "\n# -- %s --\n", group)
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "\n# %s\n#%s = %s\n", about[1], f.Name, exampleOf(f))
		}
	})
	return err
}

// exampleOf returns the default of a setting as TOML. That of the data directory depends on the user; the one shown is
// that of the service.
func exampleOf(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case f.Name == "data":
		return `"/var/lib/notakto"`
	case kind == "number", kind == "true|false":
		return f.DefValue
	case isList(f.Value):
		return "[]"
	default:
		return strconv.Quote(f.DefValue)
	}
}

// isList reports whether a setting takes several values.
func isList(v pflag.Value) bool { return strings.HasSuffix(v.Type(), ",...") }
