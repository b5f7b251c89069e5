package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"notakto/hostkeys"
)

// value implements pflag's Value for a setting. It rejects a value that is not allowed. The error says which values are
// allowed.
type value[T any] struct {
	at      *T
	kind    string
	allowed string
	parse   func(text string) (T, bool)
}

func (v value[T]) String() string {
	if list, ok := any(*v.at).([]netip.Prefix); ok {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
	}
	return fmt.Sprint(*v.at)
}

func (v value[T]) Type() string { return v.kind }

// Set does not change the setting if it returns an error.
func (v value[T]) Set(text string) error {
	got, ok := v.parse(text)
	if !ok {
		return errors.New("it takes " + v.allowed)
	}
	*v.at = got
	return nil
}

// fileValue is the name of a file that is checked when it is set.
type fileValue struct {
	value[string]
	check func(path string, stat fs.FileInfo) error
}

// Set returns an error if a file cannot be used.
func (f fileValue) Set(path string) error {
	opened, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a named pipe would hold up the start
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }() // opened for reading only
	stat, err := opened.Stat()
	switch {
	case err != nil:
		return err
	case !stat.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	}
	if err := f.check(path, stat); err != nil {
		return err
	}
	*f.at = path
	return nil
}

// optional is a setting that may be empty.
type optional struct {
	pflag.Value
	at *string
}

func optionalOf(of func(*string) pflag.Value, at *string) pflag.Value { return optional{of(at), at} }

// Set accepts an empty text for no value.
func (o optional) Set(text string) error {
	if text == "" {
		*o.at = ""
		return nil
	}
	return o.Value.Set(text)
}

func durationValue(at *time.Duration, least, most time.Duration) pflag.Value {
	allowed := fmt.Sprintf("a time from %s to %s, such as 500ms, 90s or 5m", formatDuration(least), formatDuration(most))
	return value[time.Duration]{at, "time", allowed, func(text string) (time.Duration, bool) {
		d, err := time.ParseDuration(text)
		return d, err == nil && d >= least && d <= most
	}}
}

// formatDuration formats a time without zero minutes and seconds.
func formatDuration(d time.Duration) string {
	text := d.String()
	for _, none := range [2]string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-len("0s")]
		}
	}
	return text
}

func count(at *int) pflag.Value {
	return value[int]{at, "number", fmt.Sprintf("a whole number from 1 to %d", maxCount), func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= 1 && n <= maxCount
	}}
}

func boolean(at *bool) pflag.Value {
	return value[bool]{at, "true|false", "true or false", func(text string) (is, ok bool) {
		return text == "true", text == "true" || text == "false"
	}}
}

func oneOf(at *string, names ...string) pflag.Value {
	return value[string]{at, "name", "one of " + strings.Join(names, ", "), func(text string) (string, bool) {
		return text, slices.Contains(names, text)
	}}
}

func directory(at *string) pflag.Value {
	return value[string]{at, "directory", "the name of a directory", func(text string) (string, bool) {
		return text, text != "" && !strings.Contains(text, "\x00")
	}}
}

// file accepts the name of a readable file.
func file(at *string) pflag.Value {
	return fileValue{value[string]{at: at, kind: "file"}, func(string, fs.FileInfo) error { return nil }}
}

// secret accepts the name of a file that others cannot read, by [hostkeys.CheckMode].
func secret(at *string) pflag.Value {
	return fileValue{value[string]{at: at, kind: "file"}, hostkeys.CheckMode}
}

// isMadeOf reports whether a text consists of ASCII letters, digits and the given characters.
func isMadeOf(text, others string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(others, r)
	})
}

// publicAddress accepts a name or an IP address of the server, with or without a port.
func publicAddress(at *string) pflag.Value {
	const allowed = "HOST or HOST:PORT as players reach it, such as play.example.org or play.example.org:2222"
	return value[string]{at, "host", allowed, func(text string) (string, bool) {
		host, port := text, "22"
		if h, p, err := net.SplitHostPort(text); err == nil {
			host, port = h, p
		}
		n, err := strconv.ParseUint(port, 10, 16)
		return text, err == nil && n > 0 && host != "" && host[0] != '-' && len(host) < 64 && isMadeOf(host, "-._:")
	}}
}

// networks accepts one network at a time, or several separated by commas. A single address counts as a network.
func networks(at *[]netip.Prefix) pflag.Value {
	const allowed = "addresses or networks, with commas between them, such as 10.0.0.7,192.168.0.0/16"
	return value[[]netip.Prefix]{at, "network,...", allowed, func(text string) ([]netip.Prefix, bool) {
		if text == "" {
			return nil, true
		}
		all := slices.Clone(*at)
		for one := range strings.SplitSeq(text, ",") {
			network, err := netip.ParsePrefix(one)
			if address, alone := netip.ParseAddr(one); alone == nil {
				network, err = address.Prefix(address.BitLen())
			}
			if err != nil {
				return nil, false
			}
			all = append(all, network)
		}
		return all, true
	}}
}

// databaseURL accepts the URL of a PostgreSQL database, also with several hosts. Opening the database finds other
// mistakes in the URL.
func databaseURL(at *string) pflag.Value {
	const allowed = "the URL of a PostgreSQL database, such as postgres://notakto@db.example.org/notakto"
	return value[string]{at, "url", allowed, func(text string) (string, bool) {
		return text, strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
	}}
}

// passwords matches the text before and after a password in the URL of a database. A password may have characters that
// should have been escaped.
var passwords = regexp.MustCompile(`(://[^:@/?]*:).*(@)|([?&](?:ssl)?password=)[^&]*`)

// redacted returns the URL of a database without the passwords in it.
func redacted(url string) string { return passwords.ReplaceAllString(url, "${1}${3}xxxxx${2}") }

// httpAddress accepts an address, or the path of a Unix socket.
func httpAddress(at *string) pflag.Value {
	inner := address(at)
	const allowed = "HOST:PORT, :PORT or unix:PATH, such as 127.0.0.1:9464 or unix:/run/notakto/status.sock"
	return value[string]{at, "host:port|unix:path", allowed, func(text string) (string, bool) {
		if path, ok := strings.CutPrefix(text, unixPrefix); ok {
			return text, path != "" && !strings.Contains(path, "\x00")
		}
		before := *at
		err := inner.Set(text)
		*at = before
		return text, err == nil
	}}
}

// address accepts no names of services, only port numbers.
func address(at *string) pflag.Value {
	const allowed = "HOST:PORT or :PORT with a port from 0 to 65535 (0 lets the system choose), such as :2222 " +
		"or [::1]:2222"
	return value[string]{at, "host:port", allowed, func(text string) (string, bool) {
		_, port, err := net.SplitHostPort(text)
		if err != nil {
			return "", false
		}
		_, err = strconv.ParseUint(port, 10, 16)
		return text, err == nil
	}}
}
