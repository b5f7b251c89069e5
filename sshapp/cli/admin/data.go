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

// Data gives access to the data of a server, even while the server runs. Methods may be called from any goroutine.
type Data struct {
	Store   *store.Store
	HostKey string // path of the host key
	Version string // of this program, for backups

	// reading is held by a backup or an export, to let only one of them read the disk. importing is separate, because an
	// import may wait long for its client.
	reading   sync.Mutex
	importing sync.Mutex
}

var (
	// ErrTerminal reports that data is not sent to or read from a terminal.
	ErrTerminal = errors.New("this output is not for a terminal: write it to a file (> FILE), over ssh without -t")

	errNoData   = errors.New("this server has no database")
	errTransfer = errors.New("another backup, export or import is running: try again later")
)

// Backup writes all matches and accounts, and with withHostKey the host key. Only one backup or export runs at a
// time.
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

// Export writes the finished matches that f selects. Only one backup or export runs at a time.
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

// Import adds the matches of an export in JSON. The answer has the numbers of new and of known matches.
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
		say("added %d, already there %d", done.Added, done.Known)
	}}, err
}

// ExportFlags are the flags of an export.
type ExportFlags struct{ since, format string }

// AddTo adds the flags to flags.
func (f *ExportFlags) AddTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.since, "since", "", "only matches that ended on this `date` or later, such as 2026-11-01 (UTC)")
	flags.StringVar(&f.format, "format", "json", "json or text")
}

// Check returns a usage error if a flag is invalid.
func (f *ExportFlags) Check() error {
	if f.format != "json" && f.format != "text" {
		return cli.Usage(cli.InvalidValue("--format", f.format, errors.New("it takes json or text")))
	}
	_, err := f.sinceTime()
	return err
}

// sinceTime returns the time of --since. Zero selects all matches.
func (f *ExportFlags) sinceTime() (since time.Time, err error) {
	if f.since == "" {
		return since, nil
	}
	if since, err = time.Parse(time.DateOnly, f.since); err != nil {
		err = cli.Usage(cli.InvalidValue("--since", f.since, errors.New("it takes a date such as 2026-11-01")))
	}
	return since, err
}

// checkTransfer returns an error if this session cannot send or receive data.
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

The host key is in the file only with --with-host-key. Keep the file private in any case: it has the secret that links
keys to accounts. "notakto verify" checks the file, and "notakto restore" makes a data directory from it.`

func (o *Operator) backup() cli.Command {
	withKey := false
	return cli.Command{
		Use: "backup", Short: "Write all matches and accounts as one file", Long: aboutBackup,
		Example: "ssh HOST admin backup > notakto.tar", Role: cli.Administrator,
		Flags: func(f *pflag.FlagSet) { f.BoolVar(&withKey, "with-host-key", withKey, "include the host key") },
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
