package natsd

import (
	"errors"
	"log/slog"
)

// Sync says when events are synced to the disk.
type Sync uint8

// The ways to write.
const (
	// Always syncs each event before it is acknowledged: a power cut loses nothing.
	Always Sync = iota
	// Interval syncs every second: a power cut loses up to a second of play, a crash of the process nothing.
	Interval
)

// Config says where the streams are kept. The zero value is an embedded server below the working directory.
type Config struct {
	// Dir is the data directory; an embedded server's files are in Dir/journal.
	Dir string
	// Sync is for an embedded server.
	Sync Sync
	// Memory keeps everything in memory, for tests. Dir is not used.
	Memory bool
	// Cluster joins the embedded server with those of other processes.
	Cluster Cluster
	// Outside is used instead of an embedded server if its URL is not empty.
	Outside Outside
	// Node is the name of this process in its cluster, letters, digits, hyphens and underscores. It must stay the same
	// and be unique. By default it is made from the cluster's address, or drawn outside a cluster. The data directory
	// keeps it.
	Node string
	// Fingerprint is that of the host key, and Version that of the program. The nodes of a cluster compare them; both
	// may be empty.
	Fingerprint, Version string
	// Log is for operators; by default it is [slog.Default].
	Log *slog.Logger
}

// Outside is an external NATS with JetStream.
type Outside struct {
	// URL is one address or several, separated by commas.
	URL string
	// Credentials is a file with a user's JWT and key; empty for none.
	Credentials string
	// CAFile is the authority that signed the servers' certificates, as a PEM file; empty for those that the system
	// trusts.
	CAFile string
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Cluster.Name == "" {
		c.Cluster.Name = "notakto"
	}
	return c
}

func (c Config) check() error {
	switch {
	case c.Outside.URL != "" && c.Cluster.Listen != "":
		return errors.New("the journal is either in a cluster of our own or on an outside NATS, not both")
	case c.Memory && (c.Outside.URL != "" || c.Cluster.Listen != ""):
		return errors.New("a journal in memory has neither a cluster nor an outside NATS")
	}
	if c.Cluster.Replace != "" && c.Cluster.Listen == "" {
		return errors.New("only a server of a cluster can take the place of another")
	}
	return c.Cluster.Check()
}

// IsStandalone reports whether an embedded server of this process has the journal to itself.
func (c Config) IsStandalone() bool { return c.Cluster.Listen == "" && c.Outside.URL == "" }

// SyncsEach reports whether the server syncs each message separately. Clusters sync in groups.
func (c Config) SyncsEach() bool {
	return !c.Memory && c.Sync == Always && c.IsStandalone()
}
