package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"charm.land/log/v2"
	"github.com/charmbracelet/colorprofile"
)

// newLogger returns a logger that writes to f and never waits for it, and a function that returns when the lines so far
// are written, or after a second. The settings were checked, so an unknown level or format is a fault of this program.
func newLogger(f *os.File, s *settings) (logger *slog.Logger, flush func(), err error) {
	level, err := log.ParseLevel(s.logLevel)
	if err != nil {
		return nil, nil, fmt.Errorf("log level: %w", err)
	}
	profile := colorprofile.NoTTY
	if isColorTerminal(f) {
		profile = colorprofile.Detect(f, os.Environ())
	}
	queue := newLogQueue(f, func(w io.Writer) slog.Handler {
		format := log.NewWithOptions(w, log.Options{
			Level:           level,
			ReportTimestamp: true,
			TimeFormat:      time.RFC3339,
			Formatter: map[string]log.Formatter{
				"text": log.TextFormatter, "json": log.JSONFormatter, "logfmt": log.LogfmtFormatter,
			}[s.logFormat],
		})
		format.SetColorProfile(profile)
		return format
	})
	return slog.New(queue.handler()), queue.flush, nil
}
