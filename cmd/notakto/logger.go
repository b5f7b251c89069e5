package main

import (
	"io"
	"log/slog"
	"os"

	"charm.land/log/v2"
	"github.com/charmbracelet/colorprofile"
)

// timeFormat is RFC 3339 with milliseconds.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// newLogger returns a logger that writes to f and never waits for it, a function that changes its level, and one that
// returns when the lines so far are written, or after a second.
func newLogger(f *os.File, s logSettings) (logger *slog.Logger, setLevel func(string), flush func()) {
	profile := colorprofile.NoTTY
	if isColorTerminal(f) {
		profile = colorprofile.Detect(f, os.Environ())
	}
	var format *log.Logger
	isJournald := writesToJournald(f)
	queue := newLogQueue(f, isJournald, func(w io.Writer) slog.Handler {
		format = log.NewWithOptions(w, log.Options{
			ReportTimestamp: !isJournald,
			TimeFormat:      timeFormat,
			Formatter: map[string]log.Formatter{
				"text": log.TextFormatter, "json": log.JSONFormatter, "logfmt": log.LogfmtFormatter,
			}[s.format],
		})
		format.SetColorProfile(profile)
		return format
	})
	setLevel = func(name string) {
		level, err := log.ParseLevel(name)
		if err != nil {
			panic(err) // the settings were checked
		}
		format.SetLevel(level)
	}
	setLevel(s.level)
	return slog.New(queue.handler()), setLevel, queue.flush
}
