package natsd

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"notakto/match/internal/disk"
	"notakto/match/journal/internal/blocks"
)

// Format is the version of what this program writes into a directory. The file format of the directory holds the
// highest version that has written there; directories without one are of version 1. Version 2 opens a match by one
// entry (eventsEntry). Version 3 identifies players by accounts, whose stream is PEOPLE, and has clocks and ends by the
// operator.
const Format = 3

// The errors of a directory that a server cannot start on.
var (
	// ErrNewerFormat says that a newer version of the program has written to the directory. Nothing in it was changed.
	ErrNewerFormat = errors.New("the journal was written by a newer version of the program: start that version, or " +
		"give this one another directory")
	// ErrRestore says that the files of an embedded server are damaged beyond what it can start with.
	ErrRestore = errors.New("the journal's files are damaged: stop the server, put the last good copy of the " +
		"directory in its place, and start again")
	// ErrReplace says that the files of a node of a cluster are damaged. An older copy must not be restored: the node
	// would forget what it has acknowledged to the others.
	ErrReplace = errors.New("the files of this server of a cluster are damaged, and the other servers have " +
		"all that is in them: stop the server, move its journal directory away, and start again with --replace and " +
		"the name of this server")
	// ErrOwnFiles says that a directory cannot become part of a cluster.
	ErrOwnFiles = errors.New("the directory holds the matches of a single server, which only the first server of a " +
		"new cluster brings along: move its journal away")
	// ErrNotFounded says that a single server could not become the first of a cluster.
	ErrNotFounded = errors.New("the directory of the single server is left as it is")
	// ErrClusterFiles says that a directory belongs to a node of a cluster.
	ErrClusterFiles = errors.New("the directory is that of a server of a cluster: start it with its --cluster " +
		"settings; only if all the other servers are lost for good, make a single server of it, with all matches, by: " +
		"notakto restore --from-node DIR --data NEW")
	// ErrNodeName says that a data directory belongs to a node of another name.
	ErrNodeName = errors.New("the data directory belongs to a server of another name")
)

// dataDir is the path of the directory of an embedded server.
type dataDir string

func (d dataDir) file(name string) string { return filepath.Join(string(d), name) }

// stream returns the directory in which the server keeps a stream.
func (d dataDir) stream(name string) string {
	return filepath.Join(string(d), "jetstream", "$G", "streams", name)
}

// removeParts removes the parts of backups that were being written when the process died. Each is as long as a stream.
func (d dataDir) removeParts() {
	parts, _ := filepath.Glob(d.file("backup-*")) // the pattern is one
	for _, name := range parts {
		_ = os.Remove(name) // the next start tries again
	}
}

// joined reports whether there is data of a cluster.
func (d dataDir) joined() bool { return exists(filepath.Join(string(d), "jetstream", "$SYS")) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// format reads the version of the directory without changing anything. [ErrNewerFormat].
func (d dataDir) format() (int, error) {
	path := d.file("format")
	text, err := disk.ReadSmall(path)
	if errors.Is(err, os.ErrNotExist) {
		return 1, nil
	}
	if err != nil {
		return 0, err
	}
	stored, err := strconv.Atoi(strings.TrimSpace(string(text)))
	switch {
	case err != nil || stored < 1:
		return 0, fmt.Errorf("%s holds %.20q, which is no version: put back the file, or write %d into it", path, text,
			Format)
	case stored > Format:
		return 0, fmt.Errorf("%w (%s has format %d; this version reads up to %d)", ErrNewerFormat, string(d), stored, Format)
	}
	return stored, nil
}

// raiseFormat stores that this version has written to the directory.
func (d dataDir) raiseFormat(log *slog.Logger) error {
	stored, err := d.format()
	if err != nil || stored == Format {
		return err
	}
	if exists(d.stream(MatchesStream)) {
		log.Info("the journal is of a newer format from now on: versions of the program before this one cannot "+
			"read all of it", "event", "journal-format",
			"dir", string(d), "before", stored, "now", Format)
	}
	return disk.WriteFile(d.file("format"), []byte(strconv.Itoa(Format)+"\n"))
}

// isOwn reports whether there is data of a single server.
func (d dataDir) isOwn() bool { return !d.joined() && exists(d.stream(MatchesStream)) }

// fits returns an error if the directory is that of a node and there is no cluster.
func (d dataDir) fits(inCluster bool) error {
	if inCluster || !d.joined() {
		return nil
	}
	roster, err := openRoster(d.file("members"))
	if err != nil || len(roster.all()) == 0 {
		return fmt.Errorf("%w (%s)", ErrClusterFiles, string(d))
	}
	all := roster.all()
	return fmt.Errorf("%w (%s, of a cluster of %d: %s)", ErrClusterFiles, string(d), len(all), list(all))
}

// nameNode sets the name of this node in cfg: the one in its file, else the setting, else a new one. In a cluster, a
// node without data of it may take another name than the one in the file, which may be that of a single server.
func (d dataDir) nameNode(cfg *Config) error {
	path := d.file("node")
	text, err := disk.ReadSmall(path)
	stored := strings.TrimSpace(string(text))
	replaces := cfg.Cluster.Replace != ""
	renames := (replaces || cfg.Node != "" || d.isOwn()) && cfg.Cluster.Listen != "" && !d.joined()
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && renames:
		return cfg.newName()
	case err != nil:
		return err
	case stored == "":
		return fmt.Errorf("%s is empty: write the name of this node into it", path)
	case cfg.Node != "" && cfg.Node != stored:
		return fmt.Errorf("%w: %s says %s, and --node-name %s; leave the setting out", ErrNodeName, path, stored, cfg.Node)
	case replaces && cfg.Cluster.Replace != stored:
		return fmt.Errorf("%w: it has the data of %s, and only an empty one can take the place of %s; leave --replace out",
			ErrNodeName, stored, cfg.Cluster.Replace)
	}
	cfg.Node = stored
	return nil
}

func (c *Config) newName() error {
	cluster := c.Cluster
	switch {
	case cluster.Replace != "" && c.Node != "" && c.Node != cluster.Replace:
		return fmt.Errorf("%w: --replace %s and --node-name %s do not fit together; leave --node-name out",
			ErrNodeName, cluster.Replace, c.Node)
	case cluster.Replace != "":
		c.Node = cluster.Replace
	case c.Node == "" && cluster.Listen != "":
		c.Node = clusterNodeName(cluster.Listen)
	case c.Node == "":
		c.Node = "notakto-" + rand.Text()[:12]
	}
	return nil
}

// clusterNodeName returns the name of a node that listens at an address. Where that is every address of the machine, it
// is the machine's name.
func clusterNodeName(listen string) string {
	name := listen
	for _, every := range [...]string{":", "0.0.0.0:", "[::]:"} {
		if port, ok := strings.CutPrefix(listen, every); ok {
			host, err := os.Hostname()
			if err != nil {
				host = rand.Text()[:12]
			}
			name = host + "-" + port
		}
	}
	return "notakto-" + strings.Trim(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '-'
		}
		return r
	}, name), "-")
}

// writeName writes the name of this node, which the cluster has admitted, to its file.
func (d dataDir) writeName(name string) error {
	text, err := disk.ReadSmall(d.file("node"))
	if err == nil && strings.TrimSpace(string(text)) == name {
		return nil
	}
	return disk.WriteFile(d.file("node"), []byte(name+"\n"))
}

// replacing returns the file with the name of the node that this one replaces, from its admission until it is ready.
func (d dataDir) replacing() string { return d.file("replacing") }

// beginAgain deletes the data of a node that was killed while it replaced a lost one. With a partial copy it could
// forget what the lost node had confirmed.
func (d dataDir) beginAgain(cluster *Cluster) error {
	name, err := disk.ReadSmall(d.replacing())
	if errors.Is(err, os.ErrNotExist) || cluster.Listen == "" {
		return nil
	}
	if err != nil {
		return err
	}
	cluster.Replace = strings.TrimSpace(string(name))
	return os.RemoveAll(d.file("jetstream"))
}

// noteReplacing writes the file replacing if this node replaces another.
func (d dataDir) noteReplacing(name string) error {
	if name == "" || d.joined() {
		return nil
	}
	return disk.WriteFile(d.replacing(), []byte(name+"\n"))
}

// repair cuts torn tails off the server's files, and makes the server read all of them. Files that are damaged
// elsewhere are refused: [ErrRestore], [ErrReplace]. In a cluster the node gets what was cut off from the others.
// readArchive is called with the undamaged beginning of each file of the archive. Without readArchive, the files of the
// archive are not read if they are as a server left them that has stopped.
func (d dataDir) repair(cfg Config, readArchive func([]byte)) error {
	for _, stream := range fileStreams() {
		read := readArchive
		if stream != ArchiveStream || read == nil {
			read = func([]byte) {}
		}
		dir := d.messages(stream)
		if stream == ArchiveStream && readArchive == nil && d.isAsStopped() {
			continue
		}
		err := blocks.Repair(dir, filepath.Join(d.file("torn"), stream), anySubject, cfg.Log, read)
		var damaged blocks.DamagedError
		if errors.As(err, &damaged) {
			return cfg.unreadable(damaged)
		}
		if err != nil {
			return err
		}
		// With its index the server would notice a damaged message only when it is read, and lose all that follows it.
		// Without, a million finished matches take a third of a second more.
		if err := os.Remove(filepath.Join(dir, "index.db")); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return d.raiseFormat(cfg.Log)
}

// messages returns the directory of a stream's files.
func (d dataDir) messages(stream string) string { return filepath.Join(d.stream(stream), "msgs") }

// stopped is the path of the file with the state of the archive's files when the server stopped.
func (d dataDir) stopped() string { return d.file("stopped") }

// noteStopped writes that file. The server has stopped. Without the file the next start only takes longer.
func (d dataDir) noteStopped() error {
	state, err := stateOf(d.messages(ArchiveStream), true)
	if err != nil || state == "" {
		return err
	}
	return disk.WriteFile(d.stopped(), []byte(state+"\n"))
}

// isAsStopped reports whether the archive's files are those that the server left when it stopped. It reads none of
// them, so the time does not grow with the number of matches.
func (d dataDir) isAsStopped() bool {
	noted, err := disk.ReadSmall(d.stopped())
	if err != nil {
		return false
	}
	state, err := stateOf(d.messages(ArchiveStream), false)
	return err == nil && state != "" && string(noted) == state+"\n"
}

// stateOf returns a hash of the names, lengths and times of a stream's files; empty if the server's index of them is
// not there. With sync, all is on the disk by then.
func stateOf(dir string, sync bool) (string, error) {
	entries, err := os.ReadDir(dir) // by name
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	hash, hasIndex := sha256.New(), false
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return "", err
		}
		hasIndex = hasIndex || e.Name() == "index.db"
		if sync {
			if err := disk.Sync(filepath.Join(dir, e.Name())); err != nil {
				return "", err
			}
		}
		_, _ = fmt.Fprintln(hash, e.Name(), info.Size(), info.ModTime().UnixNano()) // a hash accepts all
	}
	if !hasIndex {
		return "", nil
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// unreadable returns the error of a start with a file that is damaged at a byte.
func (c Config) unreadable(at blocks.DamagedError) error {
	if c.Cluster.Listen != "" {
		return fmt.Errorf("%w (%s, byte %d)", ErrReplace, at.Path, at.At)
	}
	return fmt.Errorf("%w; or move %s away, to go on without what is in it (byte %d)", ErrRestore, at.Path, at.At)
}
