package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

// defaultConfig is the file of settings that is read, if it exists, when the user names no file.
const defaultConfig = "/etc/notakto/notakto.toml"

const variablePrefix = "NOTAKTO_"

func variable(flag string) string { return variablePrefix + upper(flag) }

func upper(flag string) string { return strings.ToUpper(strings.ReplaceAll(flag, "-", "_")) }

// configuration holds settings with their flags. origins has the source of each setting's value: "flag", "default",
// the name of a variable, "credential" and its name, or a file and line.
type configuration struct {
	*settings
	flags   *pflag.FlagSet
	origins map[string]string
}

func newConfiguration() *configuration {
	c := &configuration{defaults(), pflag.NewFlagSet("", pflag.ContinueOnError), map[string]string{}}
	c.register(c.flags)
	return c
}

// readConfiguration returns the settings of a server. A given flag wins over a variable, a variable over a credential,
// a credential over the file, and the file over the default. The error names every refused value.
func readConfiguration(given *pflag.FlagSet) (*configuration, error) {
	c := newConfiguration()
	var refused error
	eachSetting(given, func(f *pflag.Flag) {
		if f.Changed {
			refused = errors.Join(refused, c.flags.Set(f.Name, f.Value.String()))
		}
	})
	return c, errors.Join(refused, c.read(c.flags, defaultConfig))
}

// readSetting reads one setting, given by its name, and leaves the remaining settings at their defaults. A user of a
// local command may have no right to read the files that other settings name.
func readSetting(name string) (*configuration, error) {
	c, some := newConfiguration(), pflag.NewFlagSet("", pflag.ContinueOnError)
	some.AddFlag(c.flags.Lookup(name))
	some.AddFlag(c.flags.Lookup("config"))
	return c, c.read(some, defaultConfig)
}

// read sets each setting of flags that is missing on the command line, from its variable, its credential or the file.
// Without --config and its variable, read takes the file fallback. An empty variable counts as missing.
func (c *configuration) read(flags *pflag.FlagSet, fallback string) error {
	var refused error
	eachSetting(flags, func(f *pflag.Flag) {
		if f.Changed {
			c.origins[f.Name] = "flag"
			return
		}
		name := variable(f.Name)
		text, err := os.Getenv(name), error(nil)
		if text == "" {
			name = "credential " + credentialPrefix + f.Name
			text, err = credential(f)
		}
		switch {
		case err != nil:
			refused = cmp.Or(refused, err) // a directory that cannot be read would fail for each setting
		case text == "":
			c.origins[f.Name] = "default"
		default:
			c.origins[f.Name] = name
			if err := f.Value.Set(text); err != nil {
				refused = errors.Join(refused, cli.InvalidValue(name, text, err))
			}
		}
	})
	if c.origins["config"] == "default" {
		err := c.flags.Lookup("config").Value.Set(fallback)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			refused = errors.Join(refused, fmt.Errorf("the settings in %s cannot be read: %w", fallback, err))
		}
	}
	if c.config != "" && refused == nil {
		refused = c.readFile(flags)
	}
	return refused
}

const (
	credentialPrefix = "notakto."
	maxCredential    = 64 << 10 // bytes
)

// credential returns the value that a credential of systemd gives to a setting, or "". The credential is the file
// notakto.SETTING in the directory $CREDENTIALS_DIRECTORY. A setting that names a file gets the path, any other the
// text.
func credential(f *pflag.Flag) (text string, err error) {
	dir := os.Getenv("CREDENTIALS_DIRECTORY")
	if dir == "" {
		return "", nil
	}
	path := filepath.Join(dir, credentialPrefix+f.Name)
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a named pipe would block the start
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("the credential cannot be read: %w", err)
	}
	defer func() { _ = file.Close() }()
	if f.Value.Type() == "file" {
		return path, nil
	}
	stat, err := file.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	var content []byte
	if err == nil {
		content, err = io.ReadAll(io.LimitReader(file, maxCredential+1))
	}
	if err == nil && len(content) > maxCredential {
		err = fmt.Errorf("%s has more than %d bytes: write only the value of the setting into it", path, maxCredential)
	}
	if err != nil {
		return "", fmt.Errorf("the credential cannot be read: %w", err)
	}
	return strings.TrimSpace(string(content)), nil
}

// bareText matches a line of the settings file whose value is text without quotes.
var bareText = regexp.MustCompile(`^\s*([\w-]+)\s*=\s*([^\s"'\[{#][^"'#]*?)\s*(?:#.*)?$`)

// readFile sets the settings of the file that have no flag, no variable and no credential.
func (c *configuration) readFile(flags *pflag.FlagSet) error {
	text, err := os.ReadFile(c.config)
	if err != nil {
		return err
	}
	keys := map[string]any{}
	if err := toml.Unmarshal(text, &keys); err != nil {
		if wrong := (*toml.DecodeError)(nil); errors.As(err, &wrong) {
			number, _ := wrong.Position()
			lines := strings.Split(string(text), "\n")
			if bare := bareText.FindStringSubmatch(lines[max(min(number, len(lines))-1, 0)]); bare != nil {
				return fmt.Errorf("%s:%d: text needs quotes: %s = %q", c.config, number, bare[1], bare[2])
			}
			return fmt.Errorf("%s:%d: invalid TOML: want a line such as listen = \":2222\": %w", c.config, number, err)
		}
		return fmt.Errorf("%s: %w", c.config, err)
	}
	var refused error
	for _, line := range linesOf(string(text), keys) {
		at := c.config + ":" + strconv.Itoa(line.number)
		known := c.flags.Lookup(line.key)
		value, err := textOf(keys[line.key])
		switch f := flags.Lookup(line.key); {
		case line.key == "config":
			err = errors.New("config cannot be set in the file itself")
		case known == nil:
			err = fmt.Errorf("there is no setting %.40q%s", line.key, wording.Suggest("", line.key, c.names()))
		case err != nil:
			err = fmt.Errorf("%s cannot be like this: %w", line.key, err)
		case f != nil && c.origins[f.Name] == "default":
			c.origins[f.Name] = at
			if err = f.Value.Set(value); err != nil {
				err = cli.InvalidValue(f.Name, value, err)
			}
		}
		if err != nil {
			refused = errors.Join(refused, fmt.Errorf("%s: %w", at, err))
		}
	}
	return refused
}

type keyLine struct {
	key    string
	number int
}

// linesOf returns the line number in text of each key, in the order of the lines. The library gives line numbers only
// for text that is not TOML. A key in an unusual spelling, such as with escapes, gets line 1.
func linesOf(text string, keys map[string]any) []keyLine {
	all := make([]keyLine, 0, len(keys))
	for key := range keys {
		at := regexp.MustCompile(`(?m)^\s*\[*\s*["']?` + regexp.QuoteMeta(key) + `["']?\s*[].=]`).FindStringIndex(text)
		line := 1
		if at != nil {
			line += strings.Count(text[:at[1]], "\n")
		}
		all = append(all, keyLine{key, line})
	}
	slices.SortFunc(all, func(a, b keyLine) int {
		if a.number != b.number {
			return a.number - b.number
		}
		return strings.Compare(a.key, b.key)
	})
	return all
}

// textOf returns a TOML value in the form that pflag's Set takes.
func textOf(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		all := make([]string, len(v))
		for i, one := range v {
			text, ok := one.(string)
			if !ok {
				return "", errors.New("an array must hold strings")
			}
			all[i] = text
		}
		return strings.Join(all, ","), nil
	default:
		return "", errors.New("it takes a string, a whole number, true or false, or an array of strings")
	}
}

func (c *configuration) names() []string {
	var all []string
	eachSetting(c.flags, func(f *pflag.Flag) { all = append(all, f.Name) })
	return all
}

// foreignVariable matches the variables that Kubernetes sets for a Service named notakto.
var foreignVariable = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT|PORT)(_|$)`)

// unknownVariables returns a warning for each variable that begins with variablePrefix but names no setting.
func (c *configuration) unknownVariables() []string {
	names := c.names()
	for i, name := range names {
		names[i] = upper(name)
	}
	var warnings []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		typed, ours := strings.CutPrefix(name, variablePrefix)
		if ours && !slices.Contains(names, typed) && !foreignVariable.MatchString(name) {
			warnings = append(warnings, fmt.Sprintf("there is no setting for the variable %.60q%s", name,
				wording.Suggest(variablePrefix, typed, names)))
		}
	}
	return warnings
}

const aboutConfig = `Print every setting with its value, and where the value comes from.

A flag comes before a variable, a variable before a credential of systemd, a credential before a line of the file, and
the file before the default. The command takes the same flags as the server. Of files with secrets it prints only the
names.

A check by root does not tell whether the server's user may read the files and open the ports.`

func configCommand() cli.Command {
	asJSON, check, example := false, false, false
	return cli.Command{
		Use: "config [FILE]", Short: "Print or check the settings of the server", Long: aboutConfig,
		Example: "notakto config --check " + defaultConfig + "\nnotakto config --example > notakto.toml",
		Args:    cli.AtMostOne, TakesFiles: true, Exclusive: []string{"json", "check", "example"}, Choices: settingChoices(),
		Flags: func(f *pflag.FlagSet) {
			f.BoolVar(&asJSON, "json", false, "print one JSON value")
			f.BoolVar(&check, "check", false,
				"only check whether a server could start with the settings; opens no port and no data")
			f.BoolVar(&example, "example", false, "print an example of the file, with every setting")
			defaults().register(f)
		},
		Run: func(_ context.Context, call *cli.Call, args []string) (a cli.Answer, err error) {
			if example {
				return a, writeExample(call.Out)
			}
			if len(args) > 0 {
				if err := call.Flags.Set("config", args[0]); err != nil {
					return a, cli.Usage(err)
				}
			}
			c, err := readConfiguration(call.Flags)
			if err != nil {
				return a, cli.Usage(err)
			}
			for _, warning := range c.unknownVariables() {
				_, _ = fmt.Fprintln(call.Err, "notakto: "+warning)
			}
			switch {
			case check:
				return a, cli.Usage(c.validateForServer())
			case asJSON:
				return a, c.writeJSON(call.Out)
			default:
				return a, c.writeTable(call.Out)
			}
		},
	}
}

func shownValue(f *pflag.Flag) string {
	if f.Value.Type() == "url" {
		return cli.Redacted(f.Value.String())
	}
	return f.Value.String()
}

func (c *configuration) writeTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err := fmt.Fprintln(t, "SETTING\tVALUE\tFROM")
	eachSetting(c.flags, func(f *pflag.Flag) {
		if err == nil {
			_, err = fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, shownValue(f), c.origins[f.Name])
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
	eachSetting(c.flags, func(f *pflag.Flag) { all[f.Name] = entry{shownValue(f), c.origins[f.Name]} })
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(all)
}

// writeExample writes a file with every setting at its default, commented out.
func writeExample(w io.Writer) error {
	_, err := fmt.Fprint(w,
		"# Settings of a Notakto server. A flag, a variable or a credential wins over a line here.\n"+
			"# Try a change with: notakto config --check FILE. Most take effect after: systemctl reload notakto\n"+
			"# All about them: docs/configuration.md\n")
	group := ""
	eachSetting(newConfiguration().flags, func(f *pflag.Flag) {
		if err != nil || f.Name == "config" {
			return
		}
		about := f.Annotations[settingKey]
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

// exampleOf returns the default of a setting as TOML. For data, exampleOf returns /var/lib/notakto, because the default
// depends on the user.
func exampleOf(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case f.Name == "data":
		return `"/var/lib/notakto"`
	case kind == "number", kind == "true|false":
		return f.DefValue
	case strings.HasSuffix(kind, ",..."): // a setting with several values
		return "[]"
	default:
		return strconv.Quote(f.DefValue)
	}
}
