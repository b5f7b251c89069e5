package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrRestore says that the files of an embedded server are damaged beyond what it can start with.
var ErrRestore = errors.New("the journal's files are damaged: stop the server, put the last good copy of the directory in its place, and start again")

// ErrReplace says that the files of a node of a cluster are damaged. An older copy of them must not be put back: the
// node would forget what it has told the others that it keeps.
var ErrReplace = errors.New("the files of this server of a cluster are damaged, and the other servers have all that is in " +
	"them: stop the server, move its journal directory away, and start again with --replace and the name of this server")

// ErrOwnFiles says that a directory cannot become part of a cluster.
var ErrOwnFiles = errors.New("the directory holds the matches of a server of its own: a node of a cluster begins with an empty one")

// files is where an embedded server keeps a stream.
func files(dir, stream string) string {
	return filepath.Join(dir, "jetstream", "$G", "streams", stream)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// checkNotDamaged is an error if a stream is not to be made because its files are there: the server could not read
// them, and would write over them.
func (s *Store) checkNotDamaged(stream string) error {
	if s.diskMonitor != nil && s.cfg.Cluster.Listen == "" && exists(files(s.diskMonitor.dir, stream)) {
		return fmt.Errorf("%w (%s)", ErrRestore, files(s.diskMonitor.dir, stream))
	}
	return nil
}

// ErrClusterFiles says that a directory belongs to a node of a cluster.
var ErrClusterFiles = errors.New("the directory is that of a server of a cluster: start it with its --cluster settings; only if all the" +
	" other servers are lost for good, make it one of its own, with all matches, by: notakto cluster leave")

// fits is an error if a directory is that of a node and there is no cluster, or the other way round: a cluster would
// delete the matches that it does not know.
func (s *Store) fits(dir string) error {
	switch alone := s.cfg.Cluster.Listen == ""; {
	case alone && joined(dir):
		return clusterFiles(dir)
	case !alone && !joined(dir) && exists(files(dir, matchesStream)):
		return fmt.Errorf("%w (%s)", ErrOwnFiles, dir)
	default:
		return nil
	}
}

// clusterFiles is the error of a start without a cluster on a node's directory.
func clusterFiles(dir string) error {
	roster, err := openRoster(filepath.Join(dir, "members"))
	if err != nil || len(roster.all()) == 0 {
		return fmt.Errorf("%w (%s)", ErrClusterFiles, dir)
	}
	all := roster.all()
	return fmt.Errorf("%w (%s, of a cluster of %d: %s)", ErrClusterFiles, dir, len(all), list(all))
}
