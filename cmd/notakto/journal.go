package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/journal"
	"notakto/match/journal/natsd"
)

// opening is how long the journal may take to read its data and to find enough other servers of its cluster.
const opening = 10 * time.Minute

// Limits of the length of a cluster's secret, in bytes.
const (
	leastSecret = 16
	mostSecret  = 1 << 10
)

// openJournal opens the journal: in the data directory, in a cluster, or on an external NATS.
func openJournal(
	ctx context.Context, s *settings, fingerprint string, log *slog.Logger, openIndex func() match.ArchiveIndex,
) (*journal.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, opening)
	defer cancel()
	cfg := s.journalConfig(log)
	cfg.Fingerprint, cfg.Version = fingerprint, version().String()
	store, err := journal.Open(ctx, cfg, openIndex)
	if err != nil && s.outside.URL != "" {
		return nil, fmt.Errorf("cannot keep the matches at %s: %w; see that a NATS with JetStream answers there, or "+
			"choose another with --nats-url", redacted(s.outside.URL), err)
	}
	return store, err
}

// journalConfig returns the configuration of the journal by the settings.
func (s *settings) journalConfig(log *slog.Logger) natsd.Config {
	cfg := natsd.Config{Dir: s.data, Cluster: s.cluster, Outside: s.outside, Node: s.node, Log: log}
	if s.sync == "interval" {
		cfg.Sync = natsd.Interval
	}
	return cfg
}

// redacted returns a list of URLs without the passwords in them.
func redacted(list string) string {
	all := strings.Split(list, ",")
	for i, one := range all {
		if u, err := url.Parse(strings.TrimSpace(one)); err == nil {
			all[i] = u.Redacted()
		}
	}
	return strings.Join(all, ",")
}

// readSecret returns the text of a file without the newline that editors append; no secret without a file.
func readSecret(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("the cluster's secret: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	text, err := io.ReadAll(io.LimitReader(f, mostSecret+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("the cluster's secret: %w", err)
	case len(text) > mostSecret:
		return "", fmt.Errorf("the cluster's secret in %s is longer than %d bytes: name another file", file, mostSecret)
	}
	secret := bytes.TrimSpace(text)
	if len(secret) < leastSecret {
		return "", fmt.Errorf("the cluster's secret in %s is shorter than %d characters: make one with: "+
			"openssl rand -hex 32", file, leastSecret)
	}
	return string(secret), nil
}
