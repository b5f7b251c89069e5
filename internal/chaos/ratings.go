package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"notakto/internal/interrupt"
	"notakto/match"
	"notakto/match/history"
)

// errRatings says that nodes have read the same matches and computed different ratings.
var errRatings = errors.New("the ratings differ")

// errBusy says that matches are still added to the archive.
var errBusy = errors.New("matches are still archived")

const (
	// ratingsTime is how long the servers may take to read the last matches once none is added.
	ratingsTime = time.Minute
	// archiveTime is how long matches may be added: those whose table was lost with a server are archived some minutes
	// after their end.
	archiveTime = 15 * time.Minute
)

// sameRatings checks that all servers have computed the same ratings, and that the first one computes them once more
// from nothing. No match goes on. Servers that were destroyed have no ratings.
func (s *stage) sameRatings(ctx context.Context, servers []*server) error {
	servers = slices.DeleteFunc(slices.Clone(servers), func(s *server) bool { return s.cmd == nil })
	dirs := make([]string, 0, len(servers))
	for _, server := range servers {
		dirs = append(dirs, s.data(server.name))
	}
	first, err := equalRatings(ctx, dirs, nil)
	if err != nil {
		return err
	}
	anew := servers[0]
	if err := anew.end(syscall.SIGTERM); err != nil {
		return err
	}
	if err := history.Remove(dirs[0]); err != nil {
		return err
	}
	if err := errors.Join(anew.start(), anew.reachable(ctx)); err != nil {
		return err
	}
	again, err := equalRatings(ctx, dirs, first)
	if err == nil && !bytes.Equal(first, again) {
		err = fmt.Errorf("%w: %s has computed others anew", errRatings, anew.name)
	}
	fmt.Fprintf(s.out, "  %-34s %d lines, on %d servers and computed anew\n", "ratings", bytes.Count(again, []byte("\n")),
		len(servers))
	lines := bytes.Count(append([]byte("\n"), again...), []byte("\nrated ")) // one for each player of a pair
	s.counted(lines / 2)
	return err
}

// steadyTime is how long no match must have been added: one whose table was lost is archived so long after its end.
const steadyTime = linger + match.EntryTTL + 15*time.Second

// equalRatings waits until all data directories have the ratings of the same matches, and either these are as wanted or
// no more matches are added, and returns them.
func equalRatings(ctx context.Context, dirs []string, wanted []byte) ([]byte, error) {
	begun, steady, last := time.Now(), time.Now(), uint64(0)
	for {
		all, position, err := readRatings(ctx, dirs)
		if position != last {
			last, steady = position, time.Now()
		}
		switch {
		case err == nil && (wanted != nil && bytes.Equal(all, wanted) || time.Since(steady) >= steadyTime):
			return all, nil
		case time.Since(steady) > ratingsTime || time.Since(begun) > archiveTime:
			return nil, cmp.Or(err, errBusy)
		}
		if err := interrupt.Pause(ctx, time.Second); err != nil {
			return nil, err
		}
	}
}

// readRatings returns the ratings of all data directories and how many matches were read, or an error if they differ,
// or are not of the same matches.
func readRatings(ctx context.Context, dirs []string) (all []byte, position uint64, err error) {
	for i, dir := range dirs {
		text, at, err := ratingsOf(ctx, dir)
		switch {
		case err != nil:
			return nil, 0, err
		case i > 0 && at != position:
			return nil, 0, fmt.Errorf("%w: %s has read %d matches, and %s %d", errRatings, dirs[0], position, dir, at)
		case i > 0 && !bytes.Equal(text, all):
			return nil, 0, fmt.Errorf("%w: in %s and %s, of the same matches", errRatings, dirs[0], dir)
		}
		all, position = text, at
	}
	return all, position, nil
}

func ratingsOf(ctx context.Context, dir string) (text []byte, position uint64, err error) {
	store, err := history.Read(dir)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var b bytes.Buffer
	err = store.DumpRatings(ctx, &b)
	return b.Bytes(), store.IndexedTo(), err
}
