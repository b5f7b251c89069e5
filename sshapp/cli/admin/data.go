package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/cli/player"
)

// Data is what the commands do with the data of the server while players play. Its methods may be called from any
// goroutine.
type Data interface {
	// Backup writes all matches and accounts, and with withHostKey the host key.
	Backup(ctx context.Context, w io.Writer, withHostKey bool) error
	// LastBackup returns the last backup since the start, or nil.
	LastBackup() *Backup
	// Export writes the finished matches that ended at a time or later, as text or JSON.
	Export(ctx context.Context, w io.Writer, since time.Time, asText bool) error
	// Import adds the matches of an export, as JSON, and returns how many it added and how many were there already.
	Import(ctx context.Context, r io.Reader) (added, known int, err error)
}

// ErrTerminal refuses to send data to a terminal, or to read it from there.
var ErrTerminal = errors.New("data is no text for a terminal: give the command without one, and a file, such as > FILE")

// errNoData says that there is no [Data].
var errNoData = errors.New("this server keeps nothing")

// transfers refuses a command that sends or reads data where that cannot be done.
func (e Env) transfers(do func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case e.IsTerminal:
			return ErrTerminal
		case e.Data == nil:
			return errNoData
		}
		return do(cmd, args)
	}
}

const aboutBackup = `Write all matches and accounts as one file, while players play.

The host key is in it only with --with-host-key. Keep the file private also without it: it has the secret by which the
accounts of keys are known. "notakto verify" checks it, and "notakto restore" makes a data directory of it.`

func newBackup(e Env) *cobra.Command {
	withKey := false
	cmd := (row{
		use: "backup", short: "Write all matches and accounts as one file", long: aboutBackup,
		example: "ssh HOST admin backup > notakto.tar", args: player.NoArguments,
	}).newCommand(e.transfers(func(cmd *cobra.Command, _ []string) error {
		return e.Data.Backup(cmd.Context(), cmd.OutOrStdout(), withKey)
	}))
	cmd.Flags().BoolVar(&withKey, "with-host-key", withKey, "with the host key")
	return cmd
}

func newExport(e Env) *cobra.Command {
	var flags ExportFlags
	cmd := (row{
		use: "export", short: "Print the finished matches, the oldest first",
		long:    "Print the finished matches, also those of private tables: one JSON object a line, or as text.",
		example: "ssh HOST admin export --since 2026-11-01 > matches.jsonl", args: player.NoArguments,
	}).newCommand(e.transfers(func(cmd *cobra.Command, _ []string) error {
		since, asText, err := flags.Parse()
		if err != nil {
			return usage{err}
		}
		return e.Data.Export(cmd.Context(), cmd.OutOrStdout(), since, asText)
	}))
	flags.AddTo(cmd)
	return cmd
}

// ExportFlags are the flags of an export.
type ExportFlags struct{ since, format string }

// AddTo gives a command the flags.
func (e *ExportFlags) AddTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.since, "since", "", "only those that ended on a `date` or later, such as 2026-11-01, by UTC")
	cmd.Flags().StringVar(&e.format, "format", "json", "json or text")
}

// Parse returns since when matches are wanted, zero for all, and whether as text. An error is one of the command line.
func (e *ExportFlags) Parse() (since time.Time, asText bool, err error) {
	if e.format != "json" && e.format != "text" {
		return since, false, player.InvalidValue("--format", e.format, errors.New("it takes json or text"))
	}
	if e.since == "" {
		return since, e.format == "text", nil
	}
	if since, err = time.Parse(time.DateOnly, e.since); err != nil {
		err = player.InvalidValue("--since", e.since, errors.New("it takes a date such as 2026-11-01"))
	}
	return since, e.format == "text", err
}

// imported is what an import has done.
type imported struct {
	Added int `json:"added"`
	Known int `json:"known"`
}

func newImport(e Env) *cobra.Command {
	var done imported
	cmd := (row{
		use: "import", short: "Add the matches of an export", args: player.NoArguments,
		long:    "Add the matches of an export, as JSON, from standard input. A match that is there already stays as it is.",
		example: "ssh HOST admin import < matches.jsonl",
	}).answering(func(cmd *cobra.Command, _ []string) (answer, error) {
		err := e.transfers(func(cmd *cobra.Command, _ []string) (err error) {
			done.Added, done.Known, err = e.Data.Import(cmd.Context(), cmd.InOrStdin())
			return err
		})(cmd, nil)
		return answer{done, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "added %d, there already %d\n", done.Added, done.Known)
			return err
		}}, err
	})
	return cmd
}
