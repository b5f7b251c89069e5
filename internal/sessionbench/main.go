// Command sessionbench measures the program notakto from outside and prints one table: the cost of a session, a login
// and a key beside a bare SSH echo in the same run, idle CPU, moves a second, start and size.
//
// The command builds notakto and starts itself again as the echo. Each server is a process of its own and serves pprof,
// through which the command makes it collect its garbage. The fleet of clients stays in the first process, with one
// goroutine for each client. The clients do as little work as possible, because they share the machine with the server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"notakto/internal/rig"
)

// options are the options of a run.
type options struct {
	sessions, crowd, matches int
	seconds                  int    // length of each window that is measured
	archive                  string // data directory of the starts
	only                     string // parts to measure, separated by commas, "" for all
	binary                   string // program to measure, "" to build one

	dir      string // made by the run
	progress io.Writer
}

func (o *options) window() time.Duration { return time.Duration(o.seconds) * time.Second }

func main() {
	if os.Getenv(echoVariable) != "" {
		fmt.Fprintln(os.Stderr, "sessionbench echo:", serveEcho())
		os.Exit(1)
	}
	os.Exit(rig.Main("sessionbench", func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}))
}

func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	o := options{progress: progress}
	flags := flag.NewFlagSet("sessionbench", flag.ExitOnError)
	flags.IntVar(&o.sessions, "sessions", 1000, "sessions to weigh, each a TCP connection of its own")
	flags.IntVar(&o.crowd, "crowd", 9500, "sessions for the p99 of a key, half of which press a key each second")
	flags.IntVar(&o.matches, "matches", 64, "matches that bots play at once")
	flags.IntVar(&o.seconds, "seconds", 10, "length of each window that is measured")
	flags.StringVar(&o.archive, "archive", "", "data directory with many finished matches, for the starts; by "+
		"default, a new one without matches")
	flags.StringVar(&o.only, "only", "", "parts to measure, separated by commas: echo, lobby, table, play, plain, "+
		"bot, watch, moves, starts; by default all")
	flags.StringVar(&o.binary, "binary", "", "program to measure, to compare two builds; by default, it is built first")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if min(o.sessions, o.crowd, o.matches, o.seconds) < 1 {
		return errors.New("want at least 1 for -sessions, -crowd, -matches and -seconds")
	}
	if o.dir, err = os.MkdirTemp("", "sessionbench"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(o.dir) }()
	if o.archive == "" {
		o.archive = filepath.Join(o.dir, "archive")
	} else if _, err := os.Stat(o.archive); err != nil {
		return err
	}
	debug.SetGCPercent(800) // fewer collections of the clients while a server is timed
	f, err := o.measure(ctx)
	if err != nil {
		return err
	}
	return f.print(out, o)
}

// measure takes all figures.
func (o *options) measure(ctx context.Context) (f figures, err error) {
	if o.binary == "" {
		fmt.Fprintln(o.progress, "building notakto")
		if o.binary, err = rig.Build(ctx, o.dir); err != nil {
			return f, err
		}
	}
	file, err := os.Stat(o.binary)
	if err != nil {
		return f, err
	}
	f = figures{sessions: map[string]session{}, binary: file.Size()}
	part := func(name string, do func() error) {
		if err != nil || o.only != "" && !slices.Contains(strings.Split(o.only, ","), name) {
			return
		}
		fmt.Fprintln(o.progress, "measuring", name)
		if err = do(); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, k := range []kind{
		{name: "echo", up: "a", down: "b"},
		{name: "lobby", isVisit: true, up: "\x1b[A", down: "\x1b[B"},
		{name: "table", command: "play --boards 3 --computer novice", up: "\x1b[D", down: "\x1b[C"},
		{name: "play", command: "play"},
		{name: "plain", command: "plain", noTerminal: true},
		{name: "bot", command: "bot", noTerminal: true},
		{name: "watch", command: "watch"},
	} {
		part(k.name, func() (err error) {
			f.sessions[k.name], err = o.measureSessions(ctx, k)
			return err
		})
	}
	part("moves", func() (err error) {
		f.moves, err = o.measureMoves(ctx)
		return err
	})
	part("starts", func() error { return o.measureStarts(ctx, &f) })
	return f, err
}
