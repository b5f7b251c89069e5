package natsd

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// natsLogger is the logger of an embedded server. Notices are about housekeeping and go to the debug level.
type natsLogger struct {
	log *slog.Logger
	// unwritten is called when the server could not write a message. The log is the only place where it says so: the
	// publisher gets no answer, and Healthz checks the port for clients first, which a node of a cluster does not have.
	unwritten func()
	// isBrief is for a server that runs for seconds: its warnings and errors go to the debug level as well.
	isBrief bool
	// fatal is called with the reason why the server cannot start.
	fatal func(string)
}

func (v natsLogger) Noticef(format string, args ...any) { v.log.Debug(fmt.Sprintf(format, args...)) }
func (v natsLogger) Debugf(string, ...any)              {}
func (v natsLogger) Tracef(string, ...any)              {}

func (v natsLogger) Warnf(format string, args ...any) {
	level, text := slog.LevelWarn, fmt.Sprintf(format, args...)
	if v.isBrief || isOrdinary(text) {
		level = slog.LevelDebug
	}
	v.log.Log(context.Background(), level, text)
}

// isOrdinary reports whether a warning occurs at every start or removal of a node.
func isOrdinary(warning string) bool {
	for _, one := range [...]string{
		"Plaintext passwords", // random ones that never leave the process
		"Waiting for routing to be established", "has not established contact with a meta leader",
		"failed to be ready for connections", // it has no port for clients
		"Metalayer blocking snapshot", "resetting first sequence", "could not replace peer",
		"last block has additional entries", "Recovering stream state from index errored", // after a kill
	} {
		if strings.Contains(warning, one) {
			return true
		}
	}
	return false
}

func (v natsLogger) Fatalf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	v.log.Debug(text) // it is in the error of the start
	if v.fatal != nil {
		v.fatal(text)
	}
}

func (v natsLogger) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	level := slog.LevelError
	if v.isBrief || strings.HasPrefix(text, "Error trying to connect to route") ||
		strings.Contains(text, "Error flushing") {
		level = slog.LevelDebug // several a second while a node is down, which the watcher logs
	}
	v.log.Log(context.Background(), level, text)
	if v.unwritten != nil && strings.Contains(text, "failed to store") {
		v.unwritten()
	}
}
