package admin

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"notakto/hostkeys"
	"notakto/match/store"
	"notakto/sshapp/cli"
)

// Data gives access to the data of a server, also while the server runs. Its methods may be called from any
// goroutine.
type Data struct {
	Store   *store.Store
	HostKey string // the file with the host key
	Version string // of this program, for backups

	reading   sync.Mutex // held by a backup or an export, so that only one of them reads the disk
	importing sync.Mutex // held by an import; not reading, because an import may wait long for its client
}

var (
	// ErrTerminal says that data is not sent to a terminal, and not read from one.
	ErrTerminal = errors.New("data is no text for a terminal: give the command without one, and a file, such as > FILE")

	errNoData   = errors.New("this server keeps nothing")
	errTransfer = errors.New("another one is not done yet: try again later")
)

// Backup writes all matches and accounts. withHostKey adds the host key.
func (d *Data) Backup(ctx context.Context, w io.Writer, withHostKey bool) error {
	if !d.reading.TryLock() {
		return errTransfer
	}
	defer d.reading.Unlock()
	var files map[string][]byte
	if withHostKey {
		if _, err := hostkeys.Read(d.HostKey); err != nil {
			return err
		}
		text, err := os.ReadFile(d.HostKey)
		if err != nil {
			return err
		}
		files = map[string][]byte{hostkeys.FileName: text}
	}
	_, err := store.Backup(ctx, d.Store, w, d.Version, files)
	return err
}

// Export writes the finished matches that f selects.
func (d *Data) Export(ctx context.Context, w io.Writer, f *ExportFlags) error {
	since, err := f.sinceTime()
	if err != nil {
		return err
	}
	if !d.reading.TryLock() {
		return errTransfer
	}
	defer d.reading.Unlock()
	_, err = store.Export(ctx, d.Store, w, since, f.format == "text")
	return err
}

// Import adds the matches of an export in JSON. The answer says how many were new and how many were known.
func (d *Data) Import(ctx context.Context, r io.Reader) (cli.Answer, error) {
	if !d.importing.TryLock() {
		return cli.Answer{}, errTransfer
	}
	defer d.importing.Unlock()
	var done struct {
		Added int `json:"added"`
		Known int `json:"known"`
	}
	var err error
	done.Added, done.Known, err = store.Import(ctx, d.Store, r)
	return cli.Answer{JSON: done, Text: func(say cli.Say) {
		say("added %d, there already %d", done.Added, done.Known)
	}}, err
}

// ExportFlags holds the flags of an export.
type ExportFlags struct{ since, format string }

// AddTo adds the flags to a flag set.
func (f *ExportFlags) AddTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.since, "since", "", "only those that ended on a `date` or later, such as 2026-11-01, by UTC")
	flags.StringVar(&f.format, "format", "json", "json or text")
}

// Check returns a usage error if a flag has an invalid value.
func (f *ExportFlags) Check() error {
	if f.format != "json" && f.format != "text" {
		return cli.Usage(cli.InvalidValue("--format", f.format, errors.New("it takes json or text")))
	}
	_, err := f.sinceTime()
	return err
}

// sinceTime returns the time of --since, zero for all matches.
func (f *ExportFlags) sinceTime() (since time.Time, err error) {
	if f.since == "" {
		return since, nil
	}
	if since, err = time.Parse(time.DateOnly, f.since); err != nil {
		err = cli.Usage(cli.InvalidValue("--since", f.since, errors.New("it takes a date such as 2026-11-01")))
	}
	return since, err
}

// checkTransfer returns an error if data cannot be sent or read here.
func (o *Operator) checkTransfer() error {
	switch {
	case o.IsTerminal:
		return ErrTerminal
	case o.Data == nil:
		return errNoData
	}
	return nil
}

const aboutBackup = `Write all matches and accounts as one file, while players play.

The host key is in it only with --with-host-key. Keep the file private also without it: it has the secret by which the
accounts of keys are known. "notakto verify" checks it, and "notakto restore" makes a data directory of it.`

func (o *Operator) backup() cli.Command {
	withKey := false
	return cli.Command{
		Use: "backup", Short: "Write all matches and accounts as one file", Long: aboutBackup,
		Example: "ssh HOST admin backup > notakto.tar", Role: cli.Administrator,
		Flags: func(f *pflag.FlagSet) { f.BoolVar(&withKey, "with-host-key", withKey, "with the host key") },
		Run: func(ctx context.Context, c *cli.Call, _ []string) (a cli.Answer, err error) {
			if err = o.checkTransfer(); err == nil {
				err = o.Data.Backup(ctx, c.Out, withKey)
			}
			return a, err
		},
	}
}

func (o *Operator) export() cli.Command {
	var flags ExportFlags
	return cli.Command{
		Use: "export", Short: "Print the finished matches, the oldest first", Role: cli.Administrator, Flags: flags.AddTo,
		Long:    "Print the finished matches, also those of private tables: one JSON object a line, or as text.",
		Example: "ssh HOST admin export --since 2026-11-01 > matches.jsonl",
		Run: func(ctx context.Context, c *cli.Call, _ []string) (a cli.Answer, err error) {
			if err = o.checkTransfer(); err == nil {
				err = flags.Check()
			}
			if err == nil {
				err = o.Data.Export(ctx, c.Out, &flags)
			}
			return a, err
		},
	}
}

func (o *Operator) importMatches() cli.Command {
	return cli.Command{
		Use: "import", Short: "Add the matches of an export", Role: cli.Administrator, JSON: true,
		Long:    "Add the matches of an export, as JSON, from standard input. A match that is there already stays as it is.",
		Example: "ssh HOST admin import < matches.jsonl",
		Run: func(ctx context.Context, c *cli.Call, _ []string) (cli.Answer, error) {
			if err := o.checkTransfer(); err != nil {
				return cli.Answer{}, err
			}
			return o.Data.Import(ctx, c.In)
		},
	}
}
