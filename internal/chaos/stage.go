package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"notakto/internal/chaos/history"
	"notakto/internal/chaos/load"
	"notakto/internal/overlay"
)

// scenario is the servers, and the faults that it makes.
type scenario interface {
	open(ctx context.Context) error
	dial(ctx context.Context, player int) (net.Conn, string, error)
	harm(ctx context.Context) error // returns with every server running
	close() error
	servers() []*server
}

// stage is one run of a scenario.
type stage struct {
	options
	out   io.Writer
	dir   string
	rng   *rand.Rand
	book  *history.Book
	load  *load.Generator
	harms int
	ports int // used
}

// perform runs a scenario, checks the record and prints the result.
func (s *stage) perform(ctx context.Context, sc scenario) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	record, err := os.Create(filepath.Join(s.dir, "record"))
	if err != nil {
		return err
	}
	s.book = history.NewBook(record)
	begun := time.Now()
	played := s.play(ctx, sc)
	closed := sc.close()
	if err := errors.Join(s.book.Flush(), record.Close()); err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	fmt.Fprintf(s.out, "%s, seed %d, %d players: %d faults made in %v\n",
		s.scenario, s.seed, s.players, s.harms, time.Since(begun).Round(time.Second))
	s.startups(sc.servers())
	found := checkRecord(record.Name(), history.Terms{Grace: s.grace, Nodes: len(sc.servers())}, s.out)
	if err := errors.Join(played, closed, found); err != nil || s.keep || s.work != "" {
		fmt.Fprintf(s.out, "the record and the logs are in %s\n", s.dir)
		return err
	}
	return os.RemoveAll(s.dir)
}

func (s *stage) prepare(ctx context.Context) (err error) {
	s.rng = rand.New(rand.NewPCG(s.seed, 0))
	if s.dir = s.work; s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "chaos-"); err != nil {
			return err
		}
	}
	if s.binary != "" {
		return nil
	}
	s.binary = filepath.Join(s.dir, "notakto")
	changed := "" // changed files of the standard library
	if s.scenario == "clocks" {
		if changed, err = overlay.Write(ctx, s.dir, clockChanges[:]...); err != nil {
			return err
		}
	}
	build := exec.CommandContext(ctx, "go", "build", "-overlay", changed, "-o", s.binary, "./cmd/notakto")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}

// play starts the players, makes the faults, and waits until all matches have ended.
func (s *stage) play(ctx context.Context, sc scenario) error {
	s.load = load.New(load.Config{
		Players: s.players, Spectators: s.spectators, Matches: s.matches, Think: s.think, Seed: s.seed, Style: s.style,
		Rated: s.rated,
		Book:  s.book, Dial: sc.dial,
	})
	if err := sc.open(ctx); err != nil {
		return err
	}
	inner, leave := context.WithCancel(ctx)
	left := make(chan error, 1)
	go func() { left <- s.load.Run(inner) }()
	err := sc.harm(ctx)
	s.load.Quiet()
	s.done(history.Quiet)
	quiet := time.Now()
	if err == nil {
		err = errors.Join(s.settled(ctx), s.calm(ctx, quiet, sc.servers()))
	}
	leave()
	if err = errors.Join(err, <-left); err == nil && s.rated { // the tables close once the players have left
		err = s.sameRatings(ctx, sc.servers())
	}
	return err
}

func (s *stage) done(what string) { s.limit(what, 0) }

// counted records of how many rated pairs the ratings are.
func (s *stage) counted(pairs int) { s.done(history.Rated + strconv.Itoa(pairs)) }

// limit records that something was done to a server, and how long players may wait from here to the next such entry.
func (s *stage) limit(what string, limit time.Duration) {
	s.book.Add(history.Entry{What: history.Done, Note: what, Limit: limit})
}
