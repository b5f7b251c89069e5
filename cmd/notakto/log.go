package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/log/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/time/rate"
)

const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// newLogger returns a logger, its level and flush. The logger queues records for f and never waits for f. flush waits
// until all queued lines are written, at most flushWithin.
func newLogger(f *os.File, s logSettings) (logger *slog.Logger, level *slog.LevelVar, flush func()) {
	profile := colorprofile.NoTTY
	if isColorTerminal(f) {
		profile = colorprofile.Detect(f, os.Environ())
	}
	level = new(slog.LevelVar)
	setLevel(level, s.level)
	isJournald := writesToJournald(f)
	queue := newLogQueue(f, isJournald, func(w io.Writer) slog.Handler {
		format := log.NewWithOptions(w, log.Options{
			Level:           log.DebugLevel,
			ReportTimestamp: !isJournald,
			TimeFormat:      timeFormat,
			Formatter: map[string]log.Formatter{
				"text": log.TextFormatter, "json": log.JSONFormatter, "logfmt": log.LogfmtFormatter,
			}[s.format],
		})
		format.SetColorProfile(profile)
		return format
	})
	return slog.New(logHandler{queue: queue, level: level}), level, queue.flush
}

func setLevel(level *slog.LevelVar, name string) {
	if err := level.UnmarshalText([]byte(name)); err != nil {
		panic(err) // the settings are valid
	}
}

// The prefix lengths of the networks that --log-addresses prefix writes.
const (
	prefix4 = 24
	prefix6 = 48
)

// clientLog returns the logger for events of clients. By --log-addresses it writes addresses, their networks or
// "hidden".
func clientLog(logger *slog.Logger, s logSettings) *slog.Logger {
	switch s.addresses {
	case "prefix":
		return slog.New(maskHandler{logger.Handler(), network})
	case "none":
		return slog.New(maskHandler{logger.Handler(), func(netip.Addr) string { return "hidden" }})
	default:
		return logger
	}
}

// maskHandler replaces each address in a record with the result of mask. Fields of other types than those of slog
// become text, because they may hold addresses.
type maskHandler struct {
	slog.Handler
	mask func(netip.Addr) string
}

// Handle implements [slog.Handler].
func (m maskHandler) Handle(ctx context.Context, r slog.Record) error {
	record := slog.NewRecord(r.Time, r.Level, maskAddresses(r.Message, m.mask), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		record.AddAttrs(maskField(a, m.mask))
		return true
	})
	return m.Handler.Handle(ctx, record)
}

// WithAttrs implements [slog.Handler].
func (m maskHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	fields := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		fields[i] = maskField(a, m.mask)
	}
	return maskHandler{m.Handler.WithAttrs(fields), m.mask}
}

// WithGroup implements [slog.Handler].
func (m maskHandler) WithGroup(name string) slog.Handler {
	return maskHandler{m.Handler.WithGroup(name), m.mask}
}

func maskField(a slog.Attr, mask func(netip.Addr) string) slog.Attr {
	switch a.Value = freezeValue(a.Value); a.Value.Kind() {
	case slog.KindGroup:
		fields := slices.Clone(a.Value.Group())
		for i, field := range fields {
			fields[i] = maskField(field, mask)
		}
		a.Value = slog.GroupValue(fields...)
	case slog.KindString, slog.KindAny:
		a.Value = slog.StringValue(maskAddresses(a.Value.String(), mask))
	default: // numbers and times
	}
	return a
}

// maybeAddress matches text that looks like an address, with or without a port or a zone. Brackets count only with a
// port, because other brackets may belong to a list.
var maybeAddress = regexp.MustCompile(`\d+(\.\d+){3}(:\d+)?|` +
	`\[[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(%\w+)?\]:\d+|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*[0-9A-Fa-f](%\w+)?|::`)

// maskAddresses replaces each address in text, together with its port.
func maskAddresses(text string, mask func(netip.Addr) string) string {
	return maybeAddress.ReplaceAllStringFunc(text, func(found string) string {
		for start, isCut := 0, true; isCut; {
			if ip, ok := parseAddress(found[start:]); ok {
				return found[:start] + mask(ip.Unmap().WithZone(""))
			}
			// The part before a colon may be the end of a word, as in "failed:192.0.2.7".
			var before string
			before, _, isCut = strings.Cut(found[start:], ":")
			start += len(before) + 1
		}
		return found
	})
}

// parseAddress parses an address with or without a port.
func parseAddress(text string) (netip.Addr, bool) {
	if ip, err := netip.ParseAddr(text); err == nil {
		return ip, true
	}
	withPort, err := netip.ParseAddrPort(text)
	return withPort.Addr(), err == nil
}

func network(ip netip.Addr) string {
	bits := prefix6
	if ip.Is4() {
		bits = prefix4
	}
	return netip.PrefixFrom(ip, bits).Masked().String()
}

// Limits keep a flood of records, a full disk or an unread log from blocking the server or filling its memory.
const (
	queuedLines = 1024
	longestText = 8 << 10 // bytes of one field or message, enough for a stack
	flushWithin = time.Second
	reportPause = time.Second // least time between two calls of reportDropped while the queue is not empty

	repeatsBurst                = 10  // warnings of one message at once
	repeatsRate      rate.Limit = 1   // a second
	warningsBurst               = 100 // warnings of all messages at once
	warningsRate     rate.Limit = 10  // a second
	distinctMessages            = 1000
)

// logQueue writes records in its own goroutine (run). When the queue is full, new records are dropped. Their number
// is logged as soon as the output works again.
type logQueue struct {
	out          io.Writer
	writesLevels bool         // each line begins with its syslog level, for journald
	format       slog.Handler // formats a record and writes it through logQueue.Write
	waiting      chan slog.Record
	ending       chan struct{}
	ended        chan struct{}
	flush        func()
	dropped      atomic.Uint64 // since the latest reportDropped
	counts       logCounts

	// Only the goroutine of run uses the next three fields.
	level    slog.Level // of the current record
	failed   bool       // the latest write failed
	reported time.Time  // time of the latest reportDropped

	mu       sync.Mutex
	warnings *rate.Limiter
	messages map[string]*messageLimit
}

// logCounts counts since the start, for metrics.
type logCounts struct {
	dropped atomic.Uint64 // records lost by a full queue or by the output
	panics  atomic.Uint64
}

func (l *logQueue) drop() {
	l.dropped.Add(1)
	l.counts.dropped.Add(1)
}

type messageLimit struct {
	limit      *rate.Limiter
	suppressed uint64 // dropped since the latest line with this message
}

// newLogQueue starts the goroutine run. Only flush ends the goroutine. The handler that format returns must write
// each line by a single Write.
func newLogQueue(out io.Writer, levels bool, format func(io.Writer) slog.Handler) *logQueue {
	l := &logQueue{
		out: out, writesLevels: levels,
		waiting: make(chan slog.Record, queuedLines), ending: make(chan struct{}), ended: make(chan struct{}),
		warnings: rate.NewLimiter(warningsRate, warningsBurst), messages: map[string]*messageLimit{},
	}
	l.format = format(l)
	l.flush = sync.OnceFunc(func() {
		close(l.ending)
		select {
		case <-l.ended:
		case <-time.After(flushWithin):
		}
	})
	go l.run()
	return l
}

func (l *logQueue) run() {
	defer close(l.ended)
	for {
		select {
		case r := <-l.waiting:
			l.process(r)
		case <-l.ending:
			for len(l.waiting) > 0 {
				l.process(<-l.waiting)
			}
			l.reportDropped()
			return
		}
	}
}

func (l *logQueue) process(r slog.Record) {
	l.write(r)
	if l.failed {
		l.drop()
		return
	}
	if len(l.waiting) == 0 || time.Since(l.reported) > reportPause {
		l.reportDropped()
	}
}

// reportDropped logs the number of dropped records, if any.
func (l *logQueue) reportDropped() {
	n := l.dropped.Load()
	if n == 0 {
		return
	}
	record := slog.NewRecord(time.Now(), slog.LevelWarn, "lines are missing here: the log could not be written", 0)
	record.Add("event", "lines-dropped", "lines", n)
	if l.write(record); !l.failed {
		l.reported = time.Now()
		l.dropped.Add(-n)
	}
}

func (l *logQueue) write(r slog.Record) {
	l.failed, l.level = false, r.Level
	_ = l.format.Handle(context.Background(), r) // Write sets failed
}

// Write passes a line to out and always reports success. After an error the formatter would keep the line and write
// it again, joined to the next one.
func (l *logQueue) Write(line []byte) (int, error) {
	shown := line
	if l.writesLevels {
		shown = withLevel(line, l.level)
	}
	if _, err := l.out.Write(shown); err != nil {
		l.failed = true
	}
	return len(line), nil
}

// withLevel puts a syslog level before each line of text, as journald expects.
func withLevel(text []byte, level slog.Level) []byte {
	prefix := "<7>"
	switch {
	case level >= slog.LevelError:
		prefix = "<3>"
	case level >= slog.LevelWarn:
		prefix = "<4>"
	case level >= slog.LevelInfo:
		prefix = "<6>"
	}
	lines := strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\n", "\n"+prefix)
	return []byte(prefix + lines + "\n")
}

// allow reports whether to write r, and how many records with r's message were dropped since the last written one.
// allow limits only warnings and errors.
func (l *logQueue) allow(r slog.Record) (suppressed uint64, ok bool) {
	if r.Level < slog.LevelWarn {
		return 0, true
	}
	key := messageKey(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.messages[key]
	if of == nil {
		if len(l.messages) >= distinctMessages {
			clear(l.messages)
		}
		of = &messageLimit{limit: rate.NewLimiter(repeatsRate, repeatsBurst)}
		l.messages[key] = of
	}
	if !of.limit.AllowN(r.Time, 1) || !l.warnings.AllowN(r.Time, 1) {
		of.suppressed++
		return 0, false
	}
	suppressed, of.suppressed = of.suppressed, 0
	return suppressed, true
}

// messageKey returns the key of r in logQueue.messages, made of message and reason.
func messageKey(r slog.Record) string {
	key := r.Message[:min(len(r.Message), longestText)]
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "reason" {
			key += " " + a.Value.String()
		}
		return a.Key != "reason"
	})
	return key
}

const panicEvent = "panic"

// logHandler sends records to a queue. The logger's fields are kept here and not in the formatter, because the
// formatter's WithAttrs waits for a lock that the formatter holds while it writes.
type logHandler struct {
	queue  *logQueue
	level  slog.Leveler //nolint:misspell // its name in the library
	fields []slog.Attr
	prefix string // the names of the logger's groups
}

// Enabled implements [slog.Handler].
func (l logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= l.level.Level()
}

// WithAttrs implements [slog.Handler].
func (l logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	l.fields = slices.Clip(l.fields)
	for _, a := range attrs {
		l.fields = append(l.fields, l.freeze(a))
	}
	return l
}

// WithGroup implements [slog.Handler].
func (l logHandler) WithGroup(name string) slog.Handler {
	l.prefix += name + "."
	return l
}

// Handle implements [slog.Handler]. Handle never blocks.
func (l logHandler) Handle(_ context.Context, r slog.Record) error {
	event := ""
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "event" {
			event = a.Value.String()
		}
		return a.Key != "event"
	})
	// The SSH library logs its panics without an event.
	if event == panicEvent || event == "" && strings.Contains(r.Message, panicEvent) {
		l.queue.counts.panics.Add(1)
	}
	suppressed, ok := l.queue.allow(r)
	if !ok {
		return nil
	}
	record := slog.NewRecord(r.Time, r.Level, shorten(r.Message), r.PC)
	if event == "" { // from a library
		record.Add("event", "library")
	}
	record.AddAttrs(l.fields...)
	r.Attrs(func(a slog.Attr) bool {
		record.AddAttrs(l.freeze(a))
		return true
	})
	if suppressed > 0 {
		record.Add("more", suppressed)
	}
	select {
	case l.queue.waiting <- record:
	default:
		l.queue.drop()
	}
	return nil
}

func (l logHandler) freeze(a slog.Attr) slog.Attr {
	return slog.Attr{Key: l.prefix + a.Key, Value: freezeValue(a.Value)}
}

// freezeValue turns errors and Stringers into text, because they may change while they are queued. freezeValue shortens
// text for the queue. Groups and other values stay as they are.
func freezeValue(v slog.Value) slog.Value {
	if v = v.Resolve(); v.Kind() != slog.KindAny && v.Kind() != slog.KindString {
		return v
	}
	switch inside := v.Any().(type) {
	case string:
		return slog.StringValue(shorten(inside))
	case error:
		return slog.StringValue(shorten(inside.Error()))
	case fmt.Stringer:
		return slog.StringValue(shorten(inside.String()))
	default:
		return v
	}
}

func shorten(text string) string {
	if len(text) <= longestText {
		return text
	}
	return strings.ToValidUTF8(text[:longestText], "") + "…"
}
