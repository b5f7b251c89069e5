package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"
)

var errBadOption = errors.New("wrong option")

const (
	maxSessions = 20000
	maxRate     = 20000
	maxSeconds  = 600
	maxSide     = 1000

	spareFiles = 64 // open files of a process beside its connections
)

// Options are the options of the benchmark.
type Options struct {
	Sessions int    `json:"sessions"`
	Rate     int    `json:"keys_per_second"`
	Seconds  int    `json:"seconds"` // length of the idle window, and of the window in which keys are pressed
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	Command  string `json:"command,omitempty"` // what each session asks for; the lobby, and then a table, if empty
	Pipe     bool   `json:"pipe,omitempty"`    // the command gets no terminal
	JSON     bool   `json:"-"`
	Profiles string `json:"-"` // directory for the servers' CPU and heap profiles; none if empty

	contenders []contender
}

func parseOptions(args []string, complaints io.Writer) (Options, error) {
	var o Options
	flags := flag.NewFlagSet("sessionbench", flag.ContinueOnError)
	flags.SetOutput(complaints)
	flags.IntVar(&o.Sessions, "sessions", 1000, "sessions to open, each a TCP connection of its own")
	flags.IntVar(&o.Rate, "rate", 1000, "keys a second, over all sessions together")
	flags.IntVar(&o.Seconds, "seconds", 5, "length of the idle window and of the window in which keys are pressed")
	flags.IntVar(&o.Width, "width", 80, "columns of each terminal")
	flags.IntVar(&o.Height, "height", 24, "rows of each terminal")
	flags.StringVar(&o.Command, "command", "",
		"command to run in each session instead of the lobby; only memory and idle CPU are measured")
	flags.BoolVar(&o.Pipe, "T", false, "request no terminal for -command, as ssh -T")
	flags.BoolVar(&o.JSON, "json", false, "print one JSON value instead of tables")
	flags.StringVar(&o.Profiles, "profiles", "", "directory to write each server's CPU and heap profiles to")
	servers := flags.String("servers", "notakto,stock,echo", "servers to measure, in this order")
	if err := flags.Parse(args); err != nil {
		return o, fmt.Errorf("%w: %w", errBadOption, err)
	}
	if o.Pipe && o.Command == "" {
		return o, fmt.Errorf("%w: -T needs a -command", errBadOption)
	}
	for name := range strings.SplitSeq(*servers, ",") {
		c, err := contenderNamed(name)
		if err != nil {
			return o, err
		}
		if o.Command != "" {
			c = contender{name: c.name}
		}
		o.contenders = append(o.contenders, c)
	}
	return o, o.check()
}

func (o Options) check() error {
	for _, limit := range []struct {
		name       string
		value, max int
	}{
		{"sessions", o.Sessions, maxSessions},
		{"rate", o.Rate, maxRate},
		{"seconds", o.Seconds, maxSeconds},
		{"width", o.Width, maxSide},
		{"height", o.Height, maxSide},
	} {
		if limit.value < 1 || limit.value > limit.max {
			return fmt.Errorf("%w: -%s is 1 to %d, not %d", errBadOption, limit.name, limit.max, limit.value)
		}
	}
	return nil
}

func (o Options) window() time.Duration { return time.Duration(o.Seconds) * time.Second }

// deadline limits the time for measuring one server.
func (o Options) deadline() time.Duration {
	return 2*o.window() + 2*time.Minute + time.Duration(o.Sessions)*20*time.Millisecond
}
