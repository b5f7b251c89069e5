package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"notakto/sshapp/command"
	"notakto/sshapp/wording"
)

// defaultConfig is the file that is read if none is named and this one exists.
const defaultConfig = "/etc/notakto/notakto.toml"

const variablePrefix = "NOTAKTO_"

// variable returns the environment variable of a flag.
func variable(flag string) string { return variablePrefix + upper(flag) }

func upper(flag string) string { return strings.ToUpper(strings.ReplaceAll(flag, "-", "_")) }

// configuration is settings with their flags, and where each value comes from: "flag", a variable, a line of the file,
// or "default".
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

// configured returns the settings: from the given flags, the variables, the file and the defaults, the strongest first.
// Its error names every value that is refused.
func configured(given *pflag.FlagSet) (*configuration, error) {
	c := newConfiguration()
	var refused error
	each(given, func(f *pflag.Flag) {
		if f.Changed {
			refused = errors.Join(refused, c.flags.Set(f.Name, f.Value.String()))
		}
	})
	return c, errors.Join(refused, c.read(c.flags, defaultConfig))
}

// dataDirectory returns the data directory of the settings.
func dataDirectory() (string, error) {
	c, err := configuredOnly("data")
	if err != nil {
		return "", err
	}
	return c.data, c.validateData()
}

// statusAddress returns where a server of these settings has its status.
func statusAddress() (string, error) {
	c, err := configuredOnly("status-listen")
	if err == nil && c.status.listen == "" {
		err = errors.New("name the server's --status-listen with --status: the settings have none")
	}
	return c.status.listen, err
}

// configuredOnly returns the settings with one of them read, without a look at others: a local command may be run by a
// user who cannot read the files that they name.
func configuredOnly(name string) (*configuration, error) {
	c, some := newConfiguration(), pflag.NewFlagSet("", pflag.ContinueOnError)
	some.AddFlag(c.flags.Lookup(name))
	some.AddFlag(c.flags.Lookup("config"))
	return c, c.read(some, defaultConfig)
}

// read sets every setting without a given flag from its variable, or else from the file. An empty variable counts as
// not set.
func (c *configuration) read(flags *pflag.FlagSet, fallback string) error {
	var refused error
	each(flags, func(f *pflag.Flag) {
		name := variable(f.Name)
		switch text := os.Getenv(name); {
		case f.Changed:
			c.origins[f.Name] = "flag"
		case text == "":
			c.origins[f.Name] = "default"
		default:
			c.origins[f.Name] = name
			if err := f.Value.Set(text); err != nil {
				refused = errors.Join(refused, command.InvalidValue(name, text, err))
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

// bareText matches a line of the file whose value is text without quotes.
var bareText = regexp.MustCompile(`^\s*([\w-]+)\s*=\s*([^\s"'\[{#][^"'#]*?)\s*(?:#.*)?$`)

// readFile sets the settings that no flag and no variable gives.
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
			return fmt.Errorf("%s:%d: this is no line of TOML, such as listen = \":2222\": %w", c.config, number, err)
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
				err = command.InvalidValue(f.Name, value, err)
			}
		}
		if err != nil {
			refused = errors.Join(refused, fmt.Errorf("%s: %w", at, err))
		}
	}
	return refused
}

// keyLine is a key of the file and the line that it is in.
type keyLine struct {
	key    string
	number int
}

// linesOf returns the lines of keys, in their order. The library says them only of keys that are no TOML. A key in an
// unusual spelling is in the first line.
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

// textOf returns a value of the file as a flag takes it.
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

// names returns the names of all settings.
func (c *configuration) names() []string {
	var all []string
	each(c.flags, func(f *pflag.Flag) { all = append(all, f.Name) })
	return all
}

// foreignVariable matches the variables that Kubernetes sets for a Service of this name.
var foreignVariable = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT|PORT)(_|$)`)

// unknownVariables returns a warning about each variable that looks like one of a setting and is none.
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
