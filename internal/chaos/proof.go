package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"syscall"
	"time"

	"notakto/internal/chaos/history"
	"notakto/internal/rig"
	"notakto/match"
	"notakto/match/store"
)

var (
	errRatings = errors.New("the ratings differ")
	errUntrue  = errors.New("the store does not have what players were told")
)

// checkStore checks the store after all servers have ended. The store must have what players were told, and pass the
// program's own check. A rebuild from the matches must not change the ratings, nor the ladder that the running servers
// showed.
func (s *stage) checkStore(ctx context.Context, told map[match.ID]history.Told, ladder []byte) error {
	ratings, err := s.readStore(ctx, told)
	if err != nil {
		return err
	}
	first := s.nodes[0]
	for _, name := range []string{"check", "rebuild", "check"} {
		if err := s.command(ctx, name, first); err != nil {
			return err
		}
	}
	anew, err := s.readStore(ctx, nil)
	if err != nil {
		return err
	}
	if !bytes.Equal(ratings, anew) {
		return fmt.Errorf("%w: computed anew they are\n%s\nand they were\n%s", errRatings, anew, ratings)
	}
	s.nodes = s.nodes[:1]
	if err := first.start(); err != nil {
		return err
	}
	if err := first.Ready(ctx); err != nil {
		return errors.Join(err, first.stop(syscall.SIGKILL))
	}
	again, err := s.ladder(ctx)
	if err == nil && !bytes.Equal(again, ladder) {
		err = fmt.Errorf("%w: computed anew the ladder is\n%s\nand it was\n%s", errRatings, again, ladder)
	}
	return errors.Join(err, first.stop(syscall.SIGTERM))
}

// readStore checks that the store has what players were told, and returns a dump of the ratings.
func (s *stage) readStore(ctx context.Context, told map[match.ID]history.Told) (ratings []byte, err error) {
	config := store.Config{Dir: s.nodes[0].data, Log: slog.New(slog.DiscardHandler)}
	if s.cluster != nil {
		config.URL = s.cluster.url(0)
	}
	all, err := store.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, all.Close()) }()
	pairs := 0
	for id, want := range told {
		stored, err := loadMatch(ctx, all, id)
		if err != nil {
			return nil, fmt.Errorf("%w: match %s: %w", errUntrue, id, err)
		}
		for i, move := range want.Moves {
			if i >= len(stored.Moves) || stored.Variant.FormatMove(stored.Moves[i]) != move {
				return nil, fmt.Errorf("%w: ply %d of match %s was %s, and %v are stored", errUntrue, i+1, id, move,
					stored.Moves)
			}
		}
		if o := stored.Outcome; o.Winner != want.End.Winner || o.Reason.String() != want.End.Reason {
			return nil, fmt.Errorf("%w: match %s was won by %d (%s), and %v is stored", errUntrue, id, want.End.Winner,
				want.End.Reason, o)
		}
		if stored.IsPairOver() {
			pairs++
		}
		if stored.AwaitsSecondGame() {
			second, err := loadMatch(ctx, all, stored.Next)
			if err != nil {
				return nil, fmt.Errorf("%w: the second game of %s, %q: %w", errUntrue, id, stored.Next, err)
			}
			if !second.IsOver() || second.PairID() != id {
				return nil, fmt.Errorf("%w: the second game of %s, %q, is %+v", errUntrue, id, stored.Next, second)
			}
		}
	}
	var b bytes.Buffer
	err = all.History().DumpRatings(ctx, &b)
	// A pair has a line for each player. The store may have more pairs than the players were told of, because both can
	// be cut off at the end.
	rated := bytes.Count(append([]byte("\n"), b.Bytes()...), []byte("\nrated ")) / 2
	if err == nil && rated < pairs {
		err = fmt.Errorf("%w: %d rated pairs ended, the ratings are of %d", errRatings, pairs, rated)
	}
	if told != nil {
		fmt.Fprintf(s.out, "  %d rated pairs\n", rated)
	}
	return b.Bytes(), err
}

// loadMatch plays a stored match again.
func loadMatch(ctx context.Context, from *store.Store, id match.ID) (state match.State, err error) {
	events, err := from.Load(ctx, id, 0)
	for _, e := range events {
		if state, err = state.Apply(e); err != nil {
			break
		}
	}
	return state, err
}

// ladder returns the ladder of bots, or errRatings if two servers show different ones.
func (s *stage) ladder(ctx context.Context) (first []byte, err error) {
	for _, server := range s.nodes {
		ladder, err := server.readLadder(ctx)
		if err != nil {
			return nil, err
		}
		if first != nil && !bytes.Equal(ladder, first) {
			return nil, fmt.Errorf("%w: the ladder of %s is\n%s\nand before\n%s", errRatings, server.name, ladder,
				first)
		}
		first = ladder
	}
	return first, nil
}

func (n *node) readLadder(ctx context.Context) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	reader := rig.Client{Address: n.address, User: "reader"}
	client, channel, err := reader.Begin(ctx, "", "ladder --bots --json --limit 200")
	if err != nil {
		return nil, err
	}
	defer func() { _ = client.Close() }()
	defer context.AfterFunc(ctx, func() { _ = client.Close() })()
	return io.ReadAll(channel)
}
