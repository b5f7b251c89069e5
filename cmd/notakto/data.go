package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"notakto/hostkeys"
	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/wording"
)

type dataFlags struct {
	*configuration
	given *pflag.FlagSet
}

func (d *dataFlags) add(flags *pflag.FlagSet) {
	d.configuration, d.given = newConfiguration(), flags
	for _, name := range [...]string{"data", "database", "config"} {
		flags.AddFlag(d.flags.Lookup(name))
	}
}

// checkedStoreConfig returns the configuration of the store. Values without a flag come from variables and the file.
// --data on the command line overrides a database from there.
func (d *dataFlags) checkedStoreConfig() (store.Config, error) {
	err := d.read(d.given, defaultConfig)
	if d.origins["data"] == "flag" && d.origins["database"] != "flag" {
		d.database = ""
	}
	if err == nil {
		err = d.validate()
	}
	return d.storeConfig(dataLog()), cli.Usage(err)
}

func dataLog() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// opener is [store.Open] or a stricter form of it, such as [store.OpenStopped].
type opener func(context.Context, store.Config) (*store.Store, error)

// openToRead opens the data directory of a stopped server, or a shared database, even while its servers run.
func openToRead(ctx context.Context, c store.Config) (*store.Store, error) {
	if c.URL != "" {
		c.Dir = "" // a running server may hold its lock
		return store.Open(ctx, c)
	}
	return store.OpenStopped(ctx, c)
}

func (d *dataFlags) open(ctx context.Context, open opener) (*store.Store, error) {
	c, err := d.checkedStoreConfig()
	if err != nil {
		return nil, err
	}
	return open(ctx, c)
}

// openData adds the flags that name the data of a server, for [player.Env]. The returned function opens the data with
// openToRead.
func openData(flags *pflag.FlagSet) func(context.Context) (*store.Store, error) {
	d := new(dataFlags)
	d.add(flags)
	return func(ctx context.Context) (*store.Store, error) { return d.open(ctx, openToRead) }
}

// administer runs a command of administrators on the running server of the data directory, with its output to out.
// Without a running server, administer opens the data and runs the command itself. With --database on the command line,
// administer always opens that database, because the server of the data directory may use another one.
//
// If withHostKey is set and administer opens the data, administer also reads the setting host-key, for a backup with
// the host key.
func (d *dataFlags) administer(
	ctx context.Context, call *cli.Call, out io.Writer, open opener, withHostKey bool, words ...string,
) error {
	c, err := d.checkedStoreConfig()
	if err != nil {
		return err
	}
	data := &admin.Data{HostKey: filepath.Join(c.Dir, hostkeys.FileName), Version: version().Version}
	if d.origins["database"] == "flag" {
		c.Dir = "" // a running server may hold its lock
	} else if err := askControl(ctx, call, c.Dir, out, words...); !errors.Is(err, errNoServer) {
		return err
	}
	if withHostKey {
		settings, err := readSetting("host-key")
		if err != nil {
			return err
		}
		data.HostKey = cmp.Or(settings.hostKeyFile, data.HostKey)
	}
	if data.Store, err = open(ctx, c); err != nil {
		return err
	}
	env := cli.Env{Name: "notakto", In: call.In, Out: out, Err: call.Err, IsRemote: true, Role: cli.Administrator}
	root := cli.Command{Use: "notakto", Sub: []cli.Command{(&admin.Operator{Data: data}).Command()}}
	status, err := cli.Run(ctx, env, root, append([]string{"admin"}, words...))
	if err != nil { // cli.Run has printed the error
		err = cli.ReportedError(status)
	}
	return errors.Join(err, data.Store.Close())
}

const aboutBackup = `Write all matches and accounts of a server as one file, to standard output or into a directory.

If the server runs, it writes the file while players play, as "notakto admin backup" does.

The host key is in the file only with --with-host-key: with that key, another machine can pretend to be the server. Keep
the file private in any case: it has the secret that links keys to accounts.`

var errKeep = errors.New("--keep needs --to, and a number of 1 or more")

func backupCommand() cli.Command {
	var data dataFlags
	to, keep, withKey := "", 0, false
	return cli.Command{
		Use: "backup", Short: "Write all matches and accounts of a server as one file", Long: aboutBackup,
		Example: "notakto backup > notakto.tar\nnotakto backup --to /var/backups/notakto --keep 14",
		Flags: func(f *pflag.FlagSet) {
			data.add(f)
			f.StringVar(&to, "to", "", "a `directory` for the file, whose name has the time")
			f.IntVar(&keep, "keep", 0, "delete all but the newest `number` of backups in the directory of --to")
			f.BoolVar(&withKey, "with-host-key", false, "include the host key")
		},
		Run: func(ctx context.Context, c *cli.Call, _ []string) (cli.Answer, error) {
			if c.Flags.Changed("keep") && (to == "" || keep < 1) {
				return cli.Answer{}, cli.Usage(errKeep)
			}
			write := func(w io.Writer) error {
				words := []string{"backup"}
				if withKey {
					words = append(words, "--with-host-key")
				}
				return data.administer(ctx, c, w, openToRead, withKey, words...)
			}
			switch {
			case to == "" && isTerminal(c.Out):
				return cli.Answer{}, admin.ErrTerminal
			case to == "":
				return cli.Answer{}, write(c.Out)
			}
			path, err := backUpTo(to, keep, write)
			return cli.Line("%s", path), err
		},
	}
}

// backUpTo writes a backup into dir, creates dir if missing, and returns the path. The file ends in .part until it is
// complete. With keep above zero, backUpTo then leaves that many backups in dir, the newest ones, and deletes .part
// files older than a day.
func backUpTo(dir string, keep int, write func(io.Writer) error) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "notakto-*.part") // CreateTemp sets mode 0600
	if err != nil {
		return "", err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	path = filepath.Join(dir, time.Now().UTC().Format("notakto-20060102T150405Z.tar"))
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	if keep == 0 {
		return path, nil
	}
	all, err := filepath.Glob(filepath.Join(dir, "notakto-????????T??????Z.tar"))
	if err != nil {
		return "", err
	}
	left, err := filepath.Glob(filepath.Join(dir, "notakto-*.part"))
	if err != nil {
		return "", err
	}
	// A .part file may belong to a killed backup, or to a running one.
	for _, part := range left {
		if info, statErr := os.Stat(part); statErr == nil && time.Since(info.ModTime()) > day {
			err = errors.Join(err, os.Remove(part))
		}
	}
	slices.Sort(all)
	for _, old := range all[:max(0, len(all)-keep)] {
		err = errors.Join(err, os.Remove(old))
	}
	return path, err
}

const aboutVerify = `Read a backup, and say whether a server could be restored from it.

It compares the checksums of all files, reads every match, and says whether the backup has the host key.`

func verifyCommand() cli.Command {
	return cli.Command{
		Use: "verify FILE", Short: "Say whether a server could be restored from a backup", Long: aboutVerify,
		Args: cli.ArgumentRange(1, 1, "the file of a backup"), TakesFiles: true,
		Run: func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			return fromBackup(args[0], func(f *os.File) (store.Manifest, store.Contents, error) {
				m, c, err := store.VerifyBackup(ctx, f, dataLog())
				if err == nil && c.Damaged > 0 {
					err = fmt.Errorf("%d of its matches cannot be read: they were damaged before the backup", c.Damaged)
				}
				return m, c, err
			})
		},
	}
}

const aboutRestore = `Make the data directory of a server from a backup, which is verified first.

The directory may exist, but must not have a database. Its owner gets the files. If it has a host key, that key stays.
If it has the file "forgotten" of notakto forget, the players in that file are erased again.`

var errRestoreDatabase = errors.New("restore takes no --database, only a data directory: to move that to PostgreSQL, " +
	"use notakto export --all and notakto import")

func restoreCommand() cli.Command {
	var data dataFlags
	return cli.Command{
		Use: "restore FILE", Short: "Make the data directory of a server from a backup", Long: aboutRestore,
		Example: "notakto restore notakto.tar --data /var/lib/notakto",
		Args:    cli.ArgumentRange(1, 1, "the file of a backup"), TakesFiles: true, Flags: data.add,
		Run: func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			to, err := data.checkedStoreConfig()
			if err == nil && to.URL != "" {
				err = cli.Usage(errRestoreDatabase)
			}
			if err != nil {
				return cli.Answer{}, err
			}
			return fromBackup(args[0], func(f *os.File) (store.Manifest, store.Contents, error) {
				return store.RestoreBackup(ctx, f, to.Dir, dataLog())
			})
		},
	}
}

func fromBackup(path string, read func(*os.File) (store.Manifest, store.Contents, error)) (cli.Answer, error) {
	f, err := os.Open(path)
	if err != nil {
		return cli.Answer{}, err
	}
	defer func() { _ = f.Close() }()
	m, c, err := read(f)
	return cli.Answer{Text: func(say cli.Say) {
		say(contentsLine, c.Finished, c.Live, c.Damaged)
		say("taken %s by version %s", wording.Time(m.Began), m.Version)
		if slices.ContainsFunc(m.Parts, func(p store.Part) bool { return p.Name == hostkeys.FileName }) {
			say("with the host key of the server: keep it secret")
		} else {
			say("without a host key")
		}
		if c.Erased > 0 {
			say("erased again, as by notakto forget before: %s", wording.Count(c.Erased, "account", "accounts"))
		}
	}}, err
}

// contentsLine is the format of [store.Contents] for verify, restore and check.
const contentsLine = "finished matches %d, in progress %d, unreadable %d"

const aboutCheck = `Read all data of a server, and report damage.

It lets the database check itself, reads every match, and compares the history with the matches.`

func checkCommand() cli.Command {
	var data dataFlags
	return cli.Command{
		Use: "check", Short: "Check the data of a server for damage", Long: aboutCheck, Flags: data.add,
		Run: func(ctx context.Context, call *cli.Call, _ []string) (cli.Answer, error) {
			s, err := data.open(ctx, openToRead)
			if err != nil {
				return cli.Answer{}, err
			}
			c, err := s.Inspect(ctx)
			if err == nil {
				_, err = fmt.Fprintf(call.Out, contentsLine+"\n", c.Finished, c.Live, c.Damaged)
			}
			switch {
			case err != nil:
			case c.Damaged > 0:
				err = fmt.Errorf("%d matches cannot be read: restore a backup, or continue without them", c.Damaged)
			case c.Unlisted > 0:
				err = fmt.Errorf("the history disagrees with %d matches: run notakto rebuild", c.Unlisted)
			}
			return cli.Answer{}, errors.Join(err, s.Close())
		},
	}
}

const aboutRebuild = `Compute the history and the ratings anew from the finished matches.

A release that computes them in another way says so in its notes. Stop all servers of the data first.`

func rebuildCommand() cli.Command {
	var data dataFlags
	return cli.Command{
		Use: "rebuild", Short: "Compute the history and the ratings anew", Long: aboutRebuild, Flags: data.add,
		Run: func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
			s, err := data.open(ctx, store.OpenStopped)
			if err != nil {
				return cli.Answer{}, err
			}
			return cli.Line("The history and the ratings agree with the matches now."), errors.Join(s.Rebuild(ctx), s.Close())
		},
	}
}

const aboutExport = `Print every finished match of a server, also those of private tables.

Each match is one JSON object on a line. With --format text it is tag pairs, and the game in the notation that "notakto
analyse" reads.

With --all, accounts and matches in progress are printed too, to move a server. Stop all servers of the data first. Keep
that file private: it has the secret that links keys to accounts.`

var errAllOf = errors.New("--all takes neither --since nor --format")

func exportCommand() cli.Command {
	var data dataFlags
	var flags admin.ExportFlags
	all := false
	return cli.Command{
		Use: "export", Short: "Print the matches of a server", Long: aboutExport,
		Example: "notakto export > matches.jsonl\nnotakto export --all > all.jsonl",
		Flags: func(f *pflag.FlagSet) {
			data.add(f)
			flags.AddTo(f)
			f.BoolVar(&all, "all", false, "include accounts and matches in progress, to move a server")
		},
		Run: func(ctx context.Context, c *cli.Call, _ []string) (a cli.Answer, err error) {
			words := []string{"export"}
			for _, name := range [...]string{"since", "format"} {
				if f := c.Flags.Lookup(name); f.Changed {
					words = append(words, "--"+name, f.Value.String())
				}
			}
			if err := flags.Check(); err != nil {
				return a, err
			}
			if !all {
				return a, data.administer(ctx, c, c.Out, openToRead, false, words...)
			}
			if len(words) > 1 {
				return a, cli.Usage(errAllOf)
			}
			s, err := data.open(ctx, store.OpenStopped)
			if err != nil {
				return a, err
			}
			return a, errors.Join(store.ExportAll(ctx, s, c.Out), s.Close())
		},
	}
}

const aboutImport = `Put the matches of an export, as JSON, into the data of a server.

A match that is there already stays as it is. The import stops at a line that is not a match, or whose name another
match has; the lines before it are imported. An export with accounts needs an empty server.

In a data directory without a database, the import makes one, and says so.`

// openForImport is an [opener] for the command call. openForImport tells the user when it makes the database of a data
// directory, because --data may be mistyped.
func openForImport(call *cli.Call) opener {
	return func(ctx context.Context, c store.Config) (*store.Store, error) {
		_, missing := os.Stat(filepath.Join(c.Dir, store.FileName))
		s, err := store.Open(ctx, c)
		if err == nil && c.URL == "" && errors.Is(missing, fs.ErrNotExist) {
			_, _ = fmt.Fprintf(call.Err, "notakto: %s had no database: the import makes a new one\n", c.Dir)
		}
		return s, err
	}
}

func importCommand() cli.Command {
	var data dataFlags
	return cli.Command{
		Use: "import [FILE]", Short: "Put exported matches into the data of a server", Long: aboutImport,
		Example: "notakto import matches.jsonl", Args: cli.AtMostOne, TakesFiles: true, Flags: data.add,
		Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
			if len(args) > 0 {
				f, err := os.Open(args[0])
				if err != nil {
					return cli.Answer{}, err
				}
				defer func() { _ = f.Close() }()
				c.In = f
			}
			return cli.Answer{}, data.administer(ctx, c, c.Out, openForImport(c), false, "import")
		},
	}
}
