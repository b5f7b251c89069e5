package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"notakto/hostkeys"
)

// value implements [pflag.Value] for a setting. Its errors list the allowed values.
type value[T any] struct {
	target  *T
	kind    string
	allowed string
	parse   func(text string) (T, bool)
}

func (v value[T]) String() string {
	if list, ok := any(*v.target).([]netip.Prefix); ok {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
	}
	return fmt.Sprint(*v.target)
}

func (v value[T]) Type() string { return v.kind }

// Set implements [pflag.Value]. After an error the setting is unchanged.
func (v value[T]) Set(text string) error {
	got, ok := v.parse(text)
	if !ok {
		return errors.New("it takes " + v.allowed)
	}
	*v.target = got
	return nil
}

// fileValue is the name of a file that Set opens and checks.
type fileValue struct {
	value[string]
	check func(path string, stat fs.FileInfo) error
}

// Set implements [pflag.Value]. A file that cannot be used is an error.
func (f fileValue) Set(path string) error {
	opened, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a named pipe would block the start
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
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
	*f.target = path
	return nil
}

// optional is a setting that may be empty.
type optional struct {
	pflag.Value
	target *string
}

func optionalOf(of func(*string) pflag.Value, target *string) pflag.Value {
	return optional{of(target), target}
}

// Set implements [pflag.Value]. An empty text means no value.
func (o optional) Set(text string) error {
	if text == "" {
		*o.target = ""
		return nil
	}
	return o.Value.Set(text)
}

func durationValue(target *time.Duration, least, most time.Duration) pflag.Value {
	allowed := fmt.Sprintf("a time from %s to %s, such as 500ms, 90s or 5m", formatDuration(least), formatDuration(most))
	return value[time.Duration]{target, "time", allowed, func(text string) (time.Duration, bool) {
		d, err := time.ParseDuration(text)
		return d, err == nil && d >= least && d <= most
	}}
}

func formatDuration(d time.Duration) string {
	text := d.String()
	for _, none := range [2]string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-len("0s")] // "0m" is as long
		}
	}
	return text
}

func count(target *int) pflag.Value {
	allowed := fmt.Sprintf("a whole number from 1 to %d", maxCount)
	return value[int]{target, "number", allowed, func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= 1 && n <= maxCount
	}}
}

func boolean(target *bool) pflag.Value {
	return value[bool]{target, "true|false", "true or false", func(text string) (is, ok bool) {
		return text == "true", text == "true" || text == "false"
	}}
}

func oneOf(target *string, names ...string) pflag.Value {
	return value[string]{target, "name", "one of " + strings.Join(names, ", "), func(text string) (string, bool) {
		return text, slices.Contains(names, text)
	}}
}

func directory(target *string) pflag.Value {
	return value[string]{target, "directory", "the name of a directory", func(text string) (string, bool) {
		return text, text != "" && !strings.Contains(text, "\x00")
	}}
}

func file(target *string) pflag.Value {
	return fileValue{value[string]{target: target, kind: "file"}, func(string, fs.FileInfo) error { return nil }}
}

// secret accepts the name of a file that other users cannot read, by [hostkeys.CheckMode].
func secret(target *string) pflag.Value {
	return fileValue{value[string]{target: target, kind: "file"}, hostkeys.CheckMode}
}

func isAlphanumericOr(text, others string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(others, r)
	})
}

// publicAddress accepts a name or an IP address of the server, with or without a port.
func publicAddress(target *string) pflag.Value {
	const allowed = "HOST or HOST:PORT as players reach it, such as play.example.org or play.example.org:2222"
	return value[string]{target, "host", allowed, func(text string) (string, bool) {
		host, port := text, "22"
		if h, p, err := net.SplitHostPort(text); err == nil {
			host, port = h, p
		}
		n, err := strconv.ParseUint(port, 10, 16)
		return text, err == nil && n > 0 && host != "" && host[0] != '-' && len(host) < 64 && isAlphanumericOr(host, "-._:")
	}}
}

// networks accepts networks with commas between them, and adds them to those of earlier calls of Set. A single address
// counts as a network. An empty text removes all networks.
func networks(target *[]netip.Prefix) pflag.Value {
	const allowed = "addresses or networks, with commas between them, such as 10.0.0.7,192.168.0.0/16"
	return value[[]netip.Prefix]{target, "network,...", allowed, func(text string) ([]netip.Prefix, bool) {
		if text == "" {
			return nil, true
		}
		all := slices.Clone(*target)
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

// databaseURL accepts the URL of a PostgreSQL database, also with several hosts. databaseURL checks only the scheme.
// Opening the database finds mistakes in the rest of the URL.
func databaseURL(target *string) pflag.Value {
	const allowed = "the URL of a PostgreSQL database, such as postgres://notakto@db.example.org/notakto"
	return value[string]{target, "url", allowed, func(text string) (string, bool) {
		return text, strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
	}}
}

// endpointURL accepts the URL of an HTTP endpoint. A user name needs a password, because only passwords are hidden.
func endpointURL(target *string) pflag.Value {
	const allowed = "a URL with http or https, such as https://ntfy.example.org"
	return value[string]{target, "url", allowed, func(text string) (string, bool) {
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" || strings.ContainsAny(text, "?#") {
			return text, false
		}
		_, hasPassword := u.User.Password()
		return text, (u.Scheme == "http" || u.Scheme == "https") && (u.User == nil || hasPassword)
	}}
}

func httpAddress(target *string) pflag.Value {
	inner := address(target)
	const allowed = "HOST:PORT, :PORT or unix:PATH, such as 127.0.0.1:9464 or unix:/run/notakto/status.sock"
	return value[string]{target, "host:port|unix:path", allowed, func(text string) (string, bool) {
		if path, ok := strings.CutPrefix(text, unixPrefix); ok {
			return text, path != "" && !strings.Contains(path, "\x00")
		}
		before := *target
		err := inner.Set(text)
		*target = before
		return text, err == nil
	}}
}

// address accepts port numbers, but no names of services.
func address(target *string) pflag.Value {
	const allowed = "HOST:PORT or :PORT with a port from 0 to 65535 (0 lets the system choose), such as :2222 " +
		"or [::1]:2222"
	return value[string]{target, "host:port", allowed, func(text string) (string, bool) {
		_, port, err := net.SplitHostPort(text)
		if err != nil {
			return "", false
		}
		_, err = strconv.ParseUint(port, 10, 16)
		return text, err == nil
	}}
}
