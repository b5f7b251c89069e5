package main

import (
	"context"
	"log/slog"
	"time"

	"notakto/match/journal"
)

// opening is how long the journal may take to read what it has, or to find the other nodes.
const opening = 5 * time.Minute

// openJournal opens the matches in the data directory.
func openJournal(ctx context.Context, s *settings, log *slog.Logger) (*journal.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, opening)
	defer cancel()
	cfg := journal.Config{Dir: s.data, Log: log}
	if s.sync == "interval" {
		cfg.Sync = journal.Interval
	}
	return journal.Open(ctx, cfg)
}
