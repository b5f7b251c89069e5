package main

import (
	"context"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"regexp"

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

// The networks that the log has in the place of addresses, as their lengths in bits.
const (
	prefix4 = 24
	prefix6 = 48
)

// clientLog returns the logger for what clients do. With --log-addresses prefix it writes no address, but the network
// of each; with none, neither.
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

// masking is a handler that passes records on with something else in the place of addresses.
type masking struct {
	slog.Handler
	mask func(netip.Addr) string
}

// Handle implements [slog.Handler].
func (h masking) Handle(ctx context.Context, r slog.Record) error {
	record := slog.NewRecord(r.Time, r.Level, masked(r.Message, h.mask), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		record.AddAttrs(maskedField(a, h.mask))
		return true
	})
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements [slog.Handler].
func (h masking) WithAttrs(attrs []slog.Attr) slog.Handler {
	fields := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		fields[i] = maskedField(a, h.mask)
	}
	return masking{h.Handler.WithAttrs(fields), h.mask}
}

// WithGroup implements [slog.Handler].
func (h masking) WithGroup(name string) slog.Handler {
	return masking{h.Handler.WithGroup(name), h.mask}
}

func maskedField(a slog.Attr, mask func(netip.Addr) string) slog.Attr {
	if a.Value = fixed(a.Value); a.Value.Kind() == slog.KindString {
		a.Value = slog.StringValue(masked(a.Value.String(), mask))
	}
	return a
}

// maybeAddress is what may be an address, with or without a port or a zone.
var maybeAddress = regexp.MustCompile(`\d+(\.\d+){3}(:\d+)?|` +
	`\[?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*[0-9A-Fa-f](%\w+)?(\](:\d+)?)?|::`)

// masked returns a text in which each address, with its port, is replaced.
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
