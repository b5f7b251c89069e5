package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// value is a setting as pflag sees it. It refuses what is not allowed and says what is.
type value[T any] struct {
	at      *T
	kind    string
	allowed string
	parse   func(text string) (T, bool)
}

func (v value[T]) String() string { return fmt.Sprint(*v.at) }
func (v value[T]) Type() string   { return v.kind }

// Set leaves the setting as it was when it refuses.
func (v value[T]) Set(text string) error {
	got, ok := v.parse(text)
	if !ok {
		return errors.New("it takes " + v.allowed)
	}
	*v.at = got
	return nil
}

func span(at *time.Duration, least, most time.Duration) pflag.Value {
	allowed := fmt.Sprintf("a time from %s to %s, such as 500ms, 90s or 5m", least, most)
	return value[time.Duration]{at, "time", allowed, func(text string) (time.Duration, bool) {
		d, err := time.ParseDuration(text)
		return d, err == nil && d >= least && d <= most
	}}
}

func count(at *int) pflag.Value {
	return value[int]{at, "number", fmt.Sprintf("a whole number from 1 to %d", many), func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= 1 && n <= many
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

// address takes no names of services, so that a port is always what it says.
func address(at *string) pflag.Value {
	const allowed = "HOST:PORT or :PORT with a port from 0 to 65535 (0 lets the system choose), such as :2222 or [::1]:2222"
	return value[string]{at, "host:port", allowed, func(text string) (string, bool) {
		_, port, err := net.SplitHostPort(text)
		if err != nil {
			return "", false
		}
		_, err = strconv.ParseUint(port, 10, 16)
		return text, err == nil
	}}
}
