package journal

import "log/slog"

// Sync says when an acknowledged event is on the disk, and not only with the operating system.
type Sync uint8

// The ways to write.
const (
	// Always is before it is acknowledged: a power cut loses nothing.
	Always Sync = iota
	// Interval is within a second: a power cut loses what was played in it, the death of the process nothing.
	Interval
)

// Config says where a [Store] keeps its streams. The zero value is an embedded server below the working directory.
type Config struct {
	// Dir is the data directory; the streams are in Dir/journal. Nothing is written if Memory is set or URL is not empty.
	Dir string
	// Sync is for an embedded server.
	Sync Sync
	// Memory keeps everything in memory, for tests.
	Memory bool
	// Log takes what operators need to know, by default [slog.Default].
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return c
}
