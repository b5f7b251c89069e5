package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"notakto/hostkeys"
	"notakto/match/store"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// dataLog returns the log of a command that opens the data of a server: warnings and errors, to standard error.
func dataLog(cmd *cobra.Command) *slog.Logger {
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// dataFlags adds the flags that name the data of a server. The returned function reads them, and the settings for those
// that are missing. --data on the command line overrides a database in the settings.
func dataFlags(cmd *cobra.Command) func() (store.Config, error) {
	c := newConfiguration()
	for _, name := range [...]string{"data", "database", "config"} {
		cmd.Flags().AddFlag(c.flags.Lookup(name))
	}
	return func() (store.Config, error) {
		err := c.read(cmd.Flags(), defaultConfig)
		if c.origins["data"] == "flag" && c.origins["database"] != "flag" {
			c.database = ""
		}
		if err == nil {
			err = c.validate()
		}
		return c.storeConfig(dataLog(cmd)), err
	}
}

// openToRead opens the data directory of a stopped server, or a shared database, whose servers may run.
func openToRead(ctx context.Context, c store.Config) (*store.Store, error) {
	if c.URL != "" {
		c.Dir = "" // a running server may have locked it
		return store.Open(ctx, c)
	}
	return store.OpenStopped(ctx, c)
}

// openData adds the flags that name the data of a server. The returned function opens the data with openToRead.
func openData(cmd *cobra.Command) func(context.Context) (*store.Store, error) {
	data := dataFlags(cmd)
	return func(ctx context.Context) (*store.Store, error) {
		c, err := data()
		if err != nil {
			return nil, err
		}
		s, err := openToRead(ctx, c)
		return s, player.RuntimeError(err)
	}
}

const aboutBackup = `Write all matches and accounts of a server as one file, to standard output or into a directory.

If the server runs, it writes the file while players play, as "notakto admin backup" does.

The host key is in it only with --with-host-key: with that key, another machine can pretend to be the server. Keep the
file private also without it: it has the secret by which the accounts of keys are known.`

var errKeep = errors.New("--keep needs --to, and a number of 1 or more")

func newBackup() *cobra.Command {
	to, keep, withKey := "", 0, false
	cmd := &cobra.Command{
		Use: "backup", Short: "Write all matches and accounts of a server as one file", Long: aboutBackup,
		Example: "notakto backup > notakto.tar\nnotakto backup --to /var/backups/notakto --keep 14",
		Args:    player.NoArguments,
	}
	data := dataFlags(cmd)
	cmd.Flags().StringVar(&to, "to", "", "a `directory` for the file, which is named by the time")
	cmd.Flags().IntVar(&keep, "keep", 0, "delete all but the newest `number` of backups in the directory of --to")
	cmd.Flags().BoolVar(&withKey, "with-host-key", false, "with the host key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("keep") && (to == "" || keep < 1) {
			return errKeep
		}
		c, err := data()
		if err != nil {
			return err
		}
		write := func(w io.Writer) error { return backUp(cmd, c, w, withKey) }
		switch {
		case to == "" && isTerminal(cmd.OutOrStdout()):
			return player.RuntimeError(admin.ErrTerminal)
		case to == "":
			return player.RuntimeError(write(cmd.OutOrStdout()))
		}
		path, err := backUpTo(to, keep, write)
		if err != nil {
			return player.RuntimeError(err)
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
		return player.RuntimeError(err)
	}
	return cmd
}

// backUp makes the running server of the data directory write a backup, or writes it itself if none runs.
func backUp(cmd *cobra.Command, data store.Config, w io.Writer, withKey bool) error {
	words := []string{"backup"}
	if withKey {
		words = append(words, "--with-host-key")
	}
	return onData(cmd, data, w, words, openToRead, func(ctx context.Context, s *store.Store) error {
		hostKey := ""
		if withKey {
			c, err := configuredOnly("host-key")
			if err != nil {
				return err
			}
			hostKey = c.hostKeyFile
		}
		return writeBackup(ctx, s, w, withKey, hostKey, data.Dir)
	})
}

// backUpTo writes a backup into a directory, which it creates if missing, and returns the path. The file ends in .part
// until it is complete. Unless keep is zero, it then deletes all but the newest keep backups, and .part files older
// than a day.
func backUpTo(dir string, keep int, write func(io.Writer) error) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "notakto-*.part") // with mode 0600
	if err != nil {
		return "", err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	path = filepath.Join(dir, time.Now().UTC().Format("notakto-20060102T150405Z.tar"))
	if err := os.Rename(f.Name(), path); err != nil || keep == 0 {
		return path, err
	}
	all, err := filepath.Glob(filepath.Join(dir, "notakto-????????T??????Z.tar"))
	if err != nil {
		return "", err
	}
	left, err := filepath.Glob(filepath.Join(dir, "notakto-*.part")) // of backups that were killed, or that run
	if err != nil {
		return "", err
	}
	for _, part := range left {
		if info, gone := os.Stat(part); gone == nil && time.Since(info.ModTime()) > day {
			err = errors.Join(err, os.Remove(part))
		}
	}
	slices.Sort(all)
	for _, old := range all[:max(0, len(all)-keep)] {
		err = errors.Join(err, os.Remove(old))
	}
	return path, err
}

// writeBackup writes a backup of a store. withKey adds the host key, from the file hostKey, or from dir if hostKey is
// empty.
func writeBackup(ctx context.Context, s *store.Store, w io.Writer, withKey bool, hostKey, dir string) error {
	var files map[string][]byte
	if withKey {
		var err error
		if files, err = keyFile(hostKey, dir); err != nil {
			return err
		}
	}
	_, err := store.Backup(ctx, s, w, version().Version, files)
	return err
}

// keyFile returns the host key as the file of a backup. It reads the key from path, or from dir if path is empty.
func keyFile(path, dir string) (map[string][]byte, error) {
	if path == "" {
		path = filepath.Join(dir, hostkeys.FileName)
	}
	if _, err := hostkeys.Read(path); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	return map[string][]byte{hostkeys.FileName: text}, err
}

const aboutVerify = `Read a backup, and say whether a server could be restored from it.

Every byte is compared with what was written, and every match is read.`

func newVerify() *cobra.Command {
	cmd := &cobra.Command{
		Use: "verify FILE", Short: "Say whether a server could be restored from a backup", Long: aboutVerify,
		Args: player.Arguments(1, 1, "the file of a backup"),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return fromBackup(cmd, args[0], func(f *os.File) (store.Manifest, store.Contents, error) {
			m, c, err := store.Verify(cmd.Context(), f, dataLog(cmd))
			if err == nil && c.Damaged > 0 {
				err = fmt.Errorf("%d of its matches cannot be read: they were damaged already in the server", c.Damaged)
			}
			return m, c, err
		})
	}
	return cmd
}

const aboutRestore = `Make the data directory of a server from a backup, which is verified first.

The directory may exist, but not have a database. A host key that is there stays.`

var errRestoreDatabase = errors.New("a backup is restored to a data directory: move it to PostgreSQL from there, " +
	"with notakto export --all and notakto import")

func newRestore() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Make the data directory of a server from a backup", Long: aboutRestore,
		Example: "notakto restore notakto.tar --data /var/lib/notakto",
		Args:    player.Arguments(1, 1, "the file of a backup"),
	}
	data := dataFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		to, err := data()
		if err != nil {
			return err
		}
		if to.URL != "" {
			return errRestoreDatabase
		}
		return fromBackup(cmd, args[0], func(f *os.File) (store.Manifest, store.Contents, error) {
			return store.Restore(cmd.Context(), f, to.Dir, dataLog(cmd))
		})
	}
	return cmd
}

// fromBackup opens a backup, calls read, and prints what read has found.
func fromBackup(
	cmd *cobra.Command, path string, read func(*os.File) (store.Manifest, store.Contents, error),
) error {
	f, err := os.Open(path)
	if err != nil {
		return player.RuntimeError(err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	m, c, err := read(f)
	if err != nil {
		return player.RuntimeError(err)
	}
	out := cmd.OutOrStdout()
	err = printContents(out, c)
	if err == nil {
		_, err = fmt.Fprintf(out, "taken %s by version %s\n", wording.Time(m.Began), m.Version)
	}
	return player.RuntimeError(err)
}

func printContents(w io.Writer, c store.Contents) error {
	_, err := fmt.Fprintf(w, "finished matches %d, in progress %d, unreadable %d\n", c.Finished, c.Live, c.Damaged)
	return err
}

const aboutCheck = `Read everything in the data of a server, and say whether it is sound.

It compares the file with its checksums, reads every match, and compares the history with the matches.`

func newCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use: "check", Short: "Say whether the data of a server is sound", Long: aboutCheck, Args: player.NoArguments,
	}
	open := openData(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := open(cmd.Context())
		if err != nil {
			return err
		}
		c, err := s.Inspect(cmd.Context())
		if err == nil {
			err = printContents(cmd.OutOrStdout(), c)
		}
		switch {
		case err != nil:
		case c.Damaged > 0:
			err = fmt.Errorf("%d matches cannot be read: restore a backup, or go on without them", c.Damaged)
		case c.Unlisted > 0:
			err = fmt.Errorf("the history differs from the matches in %d: compute it anew with notakto rebuild", c.Unlisted)
		}
		return player.RuntimeError(errors.Join(err, s.Close()))
	}
	return cmd
}

const aboutRebuild = `Compute the history and the ratings anew from the finished matches.

A release that computes them in another way says so in its notes. No server may use the data meanwhile.`

func newRebuild() *cobra.Command {
	cmd := &cobra.Command{
		Use: "rebuild", Short: "Compute the history and the ratings anew", Long: aboutRebuild, Args: player.NoArguments,
	}
	data := dataFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := data()
		if err != nil {
			return err
		}
		s, err := store.OpenStopped(cmd.Context(), c)
		if err != nil {
			return player.RuntimeError(err)
		}
		err = s.Rebuild(cmd.Context())
		if err == nil {
			_, err = fmt.Fprintln(cmd.OutOrStdout(), "The history and the ratings are as the matches say.")
		}
		return player.RuntimeError(errors.Join(err, s.Close()))
	}
	return cmd
}

const aboutExport = `Print every finished match of a server, also those of private tables.

Each is one JSON object a line, or with --format text tag pairs and the game in the notation that "notakto analyse"
reads.

With --all it prints all that another server needs to go on: accounts and matches in progress too. No server may use the
data meanwhile. Keep that file private: it has the secret by which the accounts of keys are known.`

var errAllOf = errors.New("--all takes neither --since nor --format")

func newExport() *cobra.Command {
	var flags admin.ExportFlags
	all := false
	cmd := &cobra.Command{
		Use: "export", Short: "Print the matches of a server", Long: aboutExport,
		Example: "notakto export > matches.jsonl\nnotakto export --all > all.jsonl", Args: player.NoArguments,
	}
	data := dataFlags(cmd)
	flags.AddTo(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "with accounts and matches in progress, to move a server")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		since, asText, err := flags.Parse()
		switch {
		case err != nil:
			return err
		case all && (cmd.Flags().Changed("since") || cmd.Flags().Changed("format")):
			return errAllOf
		}
		c, err := data()
		if err != nil {
			return err
		}
		if all {
			s, err := store.OpenStopped(cmd.Context(), c)
			if err != nil {
				return player.RuntimeError(err)
			}
			return player.RuntimeError(errors.Join(store.ExportAll(cmd.Context(), s, cmd.OutOrStdout()), s.Close()))
		}
		words := []string{"export"}
		for _, name := range [...]string{"since", "format"} {
			if f := cmd.Flags().Lookup(name); f.Changed {
				words = append(words, "--"+name, f.Value.String())
			}
		}
		do := func(ctx context.Context, s *store.Store) error {
			_, err := store.Export(ctx, s, cmd.OutOrStdout(), since, asText)
			return err
		}
		return player.RuntimeError(onData(cmd, c, cmd.OutOrStdout(), words, openToRead, do))
	}
	return cmd
}

const aboutImport = `Put the matches of an export, as JSON, into the data of a server.

A match that is there already is left as it is. It stops at a line that is no match, or of a match of which there is
another with the same name; the lines before are imported then. An export with accounts goes into an empty server only.`

func newImport() *cobra.Command {
	cmd := &cobra.Command{
		Use: "import [FILE]", Short: "Put exported matches into the data of a server", Long: aboutImport,
		Example: "notakto import matches.jsonl", Args: cobra.MaximumNArgs(1),
	}
	data := dataFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := data()
		if err != nil {
			return err
		}
		if len(args) > 0 {
			f, err := os.Open(args[0])
			if err != nil {
				return player.RuntimeError(err)
			}
			defer func() { _ = f.Close() }() // opened for reading only
			cmd.SetIn(f)
		}
		out := cmd.OutOrStdout()
		do := func(ctx context.Context, s *store.Store) error {
			added, known, err := store.Import(ctx, s, cmd.InOrStdin())
			if err == nil {
				_, err = fmt.Fprintf(out, "added %d, there already %d\n", added, known)
			}
			return err
		}
		return player.RuntimeError(onData(cmd, c, out, []string{"import"}, store.Open, do))
	}
	return cmd
}

// onData sends the administrator's command in words to the running server of the data directory, and copies its output
// to w. If none runs, onData opens the data with open and calls do.
func onData(
	cmd *cobra.Command, c store.Config, w io.Writer, words []string,
	open func(context.Context, store.Config) (*store.Store, error), do func(context.Context, *store.Store) error,
) error {
	if err := askControl(cmd, c.Dir, w, words...); !errors.Is(err, errNoServer) {
		return err
	}
	s, err := open(cmd.Context(), c)
	if err != nil {
		return err
	}
	return errors.Join(do(cmd.Context(), s), s.Close())
}

// serverData gives administrators the data of the running server. It implements [admin.Data].
type serverData struct {
	store     *store.Store
	hostKey   string     // the file that the setting names; empty for the key in dir
	dir       string     // the data directory
	reading   sync.Mutex // held by a backup or an export, so that only one of them reads the disk
	importing sync.Mutex // held by an import; not reading, because an import may wait long for its client
}

// errTransfer refuses a backup or an export while another one runs, and an import while another one runs.
var errTransfer = errors.New("another one is not done yet: try again later")

// Backup implements [admin.Data].
func (s *serverData) Backup(ctx context.Context, w io.Writer, withHostKey bool) error {
	if !s.reading.TryLock() {
		return errTransfer
	}
	defer s.reading.Unlock()
	return writeBackup(ctx, s.store, w, withHostKey, s.hostKey, s.dir)
}

// LastBackup implements [admin.Data].
func (s *serverData) LastBackup() *admin.Backup {
	at, size, ok := s.store.Stats().Backup()
	if !ok {
		return nil
	}
	return &admin.Backup{At: at.UTC().Truncate(time.Second), Bytes: size}
}

// Export implements [admin.Data].
func (s *serverData) Export(ctx context.Context, w io.Writer, since time.Time, asText bool) error {
	if !s.reading.TryLock() {
		return errTransfer
	}
	defer s.reading.Unlock()
	_, err := store.Export(ctx, s.store, w, since, asText)
	return err
}

// Import implements [admin.Data].
func (s *serverData) Import(ctx context.Context, r io.Reader) (added, known int, err error) {
	if !s.importing.TryLock() {
		return 0, 0, errTransfer
	}
	defer s.importing.Unlock()
	return store.Import(ctx, s.store, r)
}
