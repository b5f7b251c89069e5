package admin

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"notakto/sshapp/cli/player"
)

// Process is the program in which a server runs. Its methods may be called from any goroutine.
type Process interface {
	// Checks returns what its being ready depends on.
	Checks() []Check
	// Reload reads the settings again, as SIGHUP does. After an error nothing has changed.
	Reload() (Reloaded, error)
	// LogLevel returns how much is logged: one of [Levels].
	LogLevel() string
	// SetLogLevel changes that until the settings are read again.
	SetLogLevel(level string)
}

// Reloaded is what has changed since the settings were read before. Its JSON is a promise (docs/commands.md).
type Reloaded struct {
	Applied []string `json:"applied"` // names of settings
	Restart []string `json:"restart"` // that change with a restart only
}

// Levels returns how much may be logged, the most first.
func Levels() []string { return []string{"debug", "info", "warn", "error"} }

func newReload(e Env) *cobra.Command {
	return (row{
		use: "reload", short: "Read the settings again, and apply what can change", args: player.NoArguments,
	}).answering(func(*cobra.Command, []string) (answer, error) {
		changed, err := e.Process.Reload()
		return answer{changed, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "Applied: %s. Only with a restart: %s.\n", list(changed.Applied), list(changed.Restart))
			return err
		}}, err
	})
}

func list(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }

func newLogLevel(e Env) *cobra.Command {
	return (row{
		use: "log-level [" + strings.Join(Levels(), "|") + "]", short: "Say how much is logged, or change that",
		args: level, example: "ssh HOST admin log-level debug",
	}).answering(func(_ *cobra.Command, args []string) (answer, error) {
		if len(args) == 1 {
			e.Process.SetLogLevel(args[0])
		}
		level := e.Process.LogLevel()
		return answer{map[string]string{"level": level}, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, level)
			return err
		}}, nil
	})
}

// level takes one of the levels, or nothing.
func level(cmd *cobra.Command, args []string) error {
	if len(args) > 1 || len(args) == 1 && !slices.Contains(Levels(), args[0]) {
		return fmt.Errorf("%s takes one of %s, and got %.80q", cmd.CommandPath(), strings.Join(Levels(), ", "),
			strings.Join(args, " "))
	}
	return nil
}
