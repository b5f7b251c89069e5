package main

import (
	"fmt"
	"os"
	"time"

	"charm.land/log/v2"
	"github.com/charmbracelet/colorprofile"
)

// newLogger writes to f. The settings were checked, so an unknown level or format is a fault of this program.
func newLogger(f *os.File, s *settings) (*log.Logger, error) {
	level, err := log.ParseLevel(s.logLevel)
	if err != nil {
		return nil, fmt.Errorf("log level: %w", err)
	}
	logger := log.NewWithOptions(f, log.Options{
		Level:           level,
		ReportTimestamp: true,
		TimeFormat:      time.RFC3339,
		Formatter: map[string]log.Formatter{
			"text": log.TextFormatter, "json": log.JSONFormatter, "logfmt": log.LogfmtFormatter,
		}[s.logFormat],
	})
	if !styled(f) {
		logger.SetColorProfile(colorprofile.NoTTY)
	}
	return logger, nil
}
