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

// timeFormat is RFC 3339 with milliseconds.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// newLogger returns a logger that writes to f and never waits for f, and its level. flush returns after all lines so
// far are written, or after a second.
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

// setLevel sets a level by the name that the settings have for it.
func setLevel(level *slog.LevelVar, name string) {
	if err := level.UnmarshalText([]byte(name)); err != nil {
		panic(err) // the settings were checked
	}
}

// The lengths, in bits, of the networks that the log has in place of addresses.
const (
	prefix4 = 24
	prefix6 = 48
)

// clientLog returns the logger for events of clients. With --log-addresses prefix it writes the network of an address
// instead of the address. With none it writes neither.
func clientLog(logger *slog.Logger, s logSettings) *slog.Logger {
	switch s.addresses {
	case "prefix":
		return slog.New(masking{logger.Handler(), network})
	case "none":
		return slog.New(masking{logger.Handler(), func(netip.Addr) string { return "hidden" }})
	default:
		return logger
	}
}

// masking is a handler that replaces each address in a record with the result of mask, and passes the record on.
type masking struct {
	slog.Handler
	mask func(netip.Addr) string
}

// Handle implements [slog.Handler].
func (m masking) Handle(ctx context.Context, r slog.Record) error {
	record := slog.NewRecord(r.Time, r.Level, masked(r.Message, m.mask), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		record.AddAttrs(maskedField(a, m.mask))
		return true
	})
	return m.Handler.Handle(ctx, record)
}

// WithAttrs implements [slog.Handler].
func (m masking) WithAttrs(attrs []slog.Attr) slog.Handler {
	fields := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		fields[i] = maskedField(a, m.mask)
	}
	return masking{m.Handler.WithAttrs(fields), m.mask}
}

// WithGroup implements [slog.Handler].
func (m masking) WithGroup(name string) slog.Handler {
	return masking{m.Handler.WithGroup(name), m.mask}
}

func maskedField(a slog.Attr, mask func(netip.Addr) string) slog.Attr {
	if a.Value = fixed(a.Value); a.Value.Kind() == slog.KindString {
		a.Value = slog.StringValue(masked(a.Value.String(), mask))
	}
	return a
}

// maybeAddress matches text that looks like an address, with or without a port or a zone.
var maybeAddress = regexp.MustCompile(`\d+(\.\d+){3}(:\d+)?|` +
	`\[?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*[0-9A-Fa-f](%\w+)?(\](:\d+)?)?|::`)

// masked replaces each address in a text, with its port.
func masked(text string, mask func(netip.Addr) string) string {
	return maybeAddress.ReplaceAllStringFunc(text, func(found string) string {
		ip, err := netip.ParseAddr(found)
		if err != nil {
			withPort, err := netip.ParseAddrPort(found)
			if err != nil {
				return found
			}
			ip = withPort.Addr()
		}
		return mask(ip.Unmap().WithZone(""))
	})
}

func network(ip netip.Addr) string {
	bits := prefix6
	if ip.Is4() {
		bits = prefix4
	}
	return netip.PrefixFrom(ip, bits).Masked().String()
}

// Limits of the log. They keep a flood, a full disk or an unread log from blocking the server or filling its memory.
const (
	queuedLines = 1024
	longestText = 8 << 10 // bytes of one field or message; a stack fits
	flushWithin = time.Second
	tellDropped = time.Second

	repeatsBurst                = 10 // warnings of one message at once; then one a second
	repeatsRate      rate.Limit = 1
	warningsBurst               = 100 // of all messages
	warningsRate     rate.Limit = 10
	distinctMessages            = 1000
)

// logQueue writes records in a separate goroutine. When its queue is full it drops new records, and logs their number
// as soon as it can write again.
type logQueue struct {
	out     io.Writer
	levels  bool         // each line begins with its level, for journald
	format  slog.Handler // calls Write of the queue, which writes to out
	waiting chan slog.Record
	ending  chan struct{}
	ended   chan struct{}
	flush   func()
	dropped atomic.Uint64 // records that are not reported yet
	counts  logCounts

	level    slog.Level // of the record that is being written; used by the goroutine only
	failed   bool       // the latest write failed; used by the goroutine only
	reported time.Time  // when dropped lines were last reported; used by the goroutine only

	mu       sync.Mutex
	warnings *rate.Limiter
	messages map[string]*repeated
}

// logCounts are numbers since the start.
type logCounts struct {
	dropped atomic.Uint64 // lines that were not written
	panics  atomic.Uint64
}

// drop counts a line that cannot be written.
func (l *logQueue) drop() {
	l.dropped.Add(1)
	l.counts.dropped.Add(1)
}

// repeated limits the records with one message.
type repeated struct {
	limit  *rate.Limiter
	unsaid uint64 // dropped since its latest line
}

// newLogQueue starts the goroutine that flush stops. format must write each line by one Write.
func newLogQueue(out io.Writer, levels bool, format func(io.Writer) slog.Handler) *logQueue {
	l := &logQueue{
		out: out, levels: levels,
		waiting: make(chan slog.Record, queuedLines), ending: make(chan struct{}), ended: make(chan struct{}),
		warnings: rate.NewLimiter(warningsRate, warningsBurst), messages: map[string]*repeated{},
	}
	l.format = format(l)
	l.flush = sync.OnceFunc(func() {
		close(l.ending)
		select {
		case <-l.ended:
		case <-time.After(flushWithin): // the output does not take the lines
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
			l.put(r)
		case <-l.ending:
			for len(l.waiting) > 0 {
				l.put(<-l.waiting)
			}
			l.notify()
			return
		}
	}
}

func (l *logQueue) put(r slog.Record) {
	l.write(r)
	if l.failed {
		l.drop()
		return
	}
	if len(l.waiting) == 0 || time.Since(l.reported) > tellDropped {
		l.notify()
	}
}

// notify writes how many records were dropped, if any.
func (l *logQueue) notify() {
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
	_ = l.format.Handle(context.Background(), r) // Write records failures
}

// Write passes a line on. It always reports success. After an error the formatter would keep the line, and write it
// together with the next one.
func (l *logQueue) Write(line []byte) (int, error) {
	shown := line
	if l.levels {
		shown = withLevel(line, l.level)
	}
	if _, err := l.out.Write(shown); err != nil {
		l.failed = true
	}
	return len(line), nil
}

// withLevel puts the level of syslog before each line of a text, as journald reads it.
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

// allow reports whether to write a record, and how many records with its message were dropped since the last one.
// Records below the level of warnings are always written, because other limits apply to their causes.
func (l *logQueue) allow(r slog.Record) (unsaid uint64, ok bool) {
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
		of = &repeated{limit: rate.NewLimiter(repeatsRate, repeatsBurst)}
		l.messages[key] = of
	}
	if !of.limit.AllowN(r.Time, 1) || !l.warnings.AllowN(r.Time, 1) {
		of.unsaid++
		return 0, false
	}
	unsaid, of.unsaid = of.unsaid, 0
	return unsaid, true
}

// messageKey returns the key by which records with one message and one reason are limited.
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

// panicEvent is the event of a fault that was contained.
const panicEvent = "panic"

// logHandler passes the records of a logger to the queue. It stores the logger's fields itself. The formatter would
// make the logger wait, because it holds a lock while it writes.
type logHandler struct {
	queue  *logQueue
	level  slog.Leveler //nolint:misspell // its name in the library
	fields []slog.Attr
	prefix string // of the names of later fields: the logger's groups
}

// Enabled implements [slog.Handler].
func (l logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= l.level.Level()
}

// WithAttrs implements [slog.Handler].
func (l logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	l.fields = slices.Clip(l.fields)
	for _, a := range attrs {
		l.fields = append(l.fields, l.fixed(a))
	}
	return l
}

// WithGroup implements [slog.Handler].
func (l logHandler) WithGroup(name string) slog.Handler {
	l.prefix += name + "."
	return l
}

// Handle queues a record or drops it, and never blocks.
func (l logHandler) Handle(_ context.Context, r slog.Record) error {
	event := "" // the field that says what the record is about
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "event" {
			event = a.Value.String()
		}
		return a.Key != "event"
	})
	if event == panicEvent || event == "" && strings.Contains(r.Message, panicEvent) { // a line of the SSH library
		l.queue.counts.panics.Add(1)
	}
	unsaid, ok := l.queue.allow(r)
	if !ok {
		return nil
	}
	record := slog.NewRecord(r.Time, r.Level, shortened(r.Message), r.PC)
	if event == "" { // a line of a library
		record.Add("event", "library")
	}
	record.AddAttrs(l.fields...)
	r.Attrs(func(a slog.Attr) bool {
		record.AddAttrs(l.fixed(a))
		return true
	})
	if unsaid > 0 {
		record.Add("more", unsaid)
	}
	select {
	case l.queue.waiting <- record:
	default:
		l.queue.drop()
	}
	return nil
}

func (l logHandler) fixed(a slog.Attr) slog.Attr {
	return slog.Attr{Key: l.prefix + a.Key, Value: fixed(a.Value)}
}

// fixed returns a value that does not change any more and is short enough for the queue.
func fixed(v slog.Value) slog.Value {
	if v = v.Resolve(); v.Kind() != slog.KindAny && v.Kind() != slog.KindString {
		return v
	}
	switch inside := v.Any().(type) {
	case string:
		return slog.StringValue(shortened(inside))
	case error:
		return slog.StringValue(shortened(inside.Error()))
	case fmt.Stringer:
		return slog.StringValue(shortened(inside.String()))
	default:
		return v
	}
}

func shortened(text string) string {
	if len(text) <= longestText {
		return text
	}
	return strings.ToValidUTF8(text[:longestText], "") + "…"
}
