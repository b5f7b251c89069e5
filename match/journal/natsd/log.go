package natsd

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// natsEvery is how often one text of the embedded server is logged. It repeats itself while another server is away.
const natsEvery = time.Minute

// maxNATSTexts bounds the texts that are remembered for that.
const maxNATSTexts = 100

// lineLimit logs a text that comes again and again once in natsEvery, with the number of those left out. A nil one logs
// every line.
type lineLimit struct {
	mu    sync.Mutex
	texts map[string]*natsText // without their digits
}

type natsText struct {
	at   time.Time // of its last line
	more int       // left out since
}

// log logs a line, unless it came within natsEvery before.
func (l *lineLimit) log(log *slog.Logger, level slog.Level, text string) {
	if more, ok := l.allow(text, time.Now()); ok && more > 0 {
		log.Log(context.Background(), level, text, "event", "nats", "more", more)
	} else if ok {
		log.Log(context.Background(), level, text, "event", "nats")
	}
}

func (l *lineLimit) allow(text string, now time.Time) (more int, ok bool) {
	if l == nil {
		return 0, true
	}
	key := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, text)
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := l.texts[key]
	switch {
	case seen == nil:
		if l.texts == nil || len(l.texts) >= maxNATSTexts {
			l.texts = map[string]*natsText{}
		}
		l.texts[key] = &natsText{at: now}
		return 0, true
	case now.Sub(seen.at) < natsEvery:
		seen.more++
		return 0, false
	}
	more, seen.at, seen.more = seen.more, now, 0
	return more, true
}

// natsLogger is the logger of an embedded server. Notices are about housekeeping and go to the debug level.
type natsLogger struct {
	log   *slog.Logger
	limit *lineLimit // may be nil
	// unwritten is set, if not nil, once the server could not write or sync a message. The log is the only place where it
	// says so: the publisher gets no answer, and Healthz checks the port for clients first, which a node of a cluster does
	// not have.
	unwritten *atomic.Bool
	// isBrief is for a server that runs for seconds: its warnings and errors go to the debug level as well.
	isBrief bool
	// fatal is called with the reason why the server cannot start.
	fatal func(string)
}

func (v natsLogger) Noticef(format string, args ...any) {
	v.log.Debug(fmt.Sprintf(format, args...), "event", "nats")
}
func (v natsLogger) Debugf(string, ...any) {}
func (v natsLogger) Tracef(string, ...any) {}

func (v natsLogger) Warnf(format string, args ...any) {
	level, text := slog.LevelWarn, fmt.Sprintf(format, args...)
	if v.isBrief || isOrdinary(text) {
		level = slog.LevelDebug
	}
	v.limit.log(v.log, level, text)
}

// isOrdinary reports whether a warning occurs at every start or removal of a node.
func isOrdinary(warning string) bool {
	for _, one := range [...]string{
		"Plaintext passwords", // random ones that never leave the process
		"Waiting for routing to be established", "has not established contact with a meta leader",
		"failed to be ready for connections", // it has no port for clients
		"Metalayer blocking snapshot", "resetting first sequence", "could not replace peer",
		"not cleaned up, retrying",                                                        // of readers from before the start
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
	v.log.Debug(text, "event", "nats") // it is in the error of the start
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
	if v.unwritten != nil && strings.Contains(text, "ritical write error") { // of a stream, or the file store's own
		v.unwritten.Store(true)
	}
	v.limit.log(v.log, level, text)
}
