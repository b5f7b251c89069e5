package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"syscall"
	"time"

	"notakto/internal/botclient"
	"notakto/internal/chaos/history"
	"notakto/match"
	"notakto/match/store"
)

var (
	errRatings = errors.New("the ratings differ")
	errUntrue  = errors.New("the store does not have what players were told")
)

// checkStore checks the store after all servers have ended. The store must contain the moves that players received,
// and pass the program's own check. A rebuild from the matches must not change the ratings, nor the ladder that the
// running servers showed.
func (s *stage) checkStore(ctx context.Context, v history.Verdict, ladder []byte) error {
	first := s.nodes[0]
	ratings, err := s.readStore(ctx, v)
	if err != nil {
		return err
	}
	for _, name := range []string{"check", "rebuild", "check"} {
		if err := s.command(ctx, name, first); err != nil {
			return err
		}
	}
	anew, err := s.readStore(ctx, v)
	if err != nil {
		return err
	}
	if !bytes.Equal(ratings, anew) {
		return fmt.Errorf("%w: computed anew they are\n%s\nand they were\n%s", errRatings, anew, ratings)
	}
	pairs := bytes.Count(append([]byte("\n"), ratings...), []byte("\nrated ")) / 2 // a pair has a line for each player
	fmt.Fprintf(s.out, "  %-34s of %d rated pairs, %d bytes of ladder, the same on all servers and computed anew\n",
		"ratings", pairs, len(ladder))
	// More pairs may be rated than the record has, because a pair can end while both players are cut off.
	if pairs < v.Figures.Results {
		return fmt.Errorf("%w: %d rated pairs ended, the ratings are of %d", errRatings, v.Figures.Results, pairs)
	}
	if err := errors.Join(first.start(), first.reachable(ctx)); err != nil {
		return err
	}
	again, err := readLadder(ctx, first)
	if err == nil && !bytes.Equal(again, ladder) {
		err = fmt.Errorf("%w: computed anew the ladder is\n%s\nand it was\n%s", errRatings, again, ladder)
	}
	return errors.Join(err, first.end(syscall.SIGTERM))
}

// readStore checks that the store has the moves of v.Told, and returns a dump of the ratings.
func (s *stage) readStore(ctx context.Context, v history.Verdict) (ratings []byte, err error) {
	config := store.Config{Dir: s.nodes[0].data, Log: slog.New(slog.DiscardHandler)}
	if s.cluster != nil {
		config.URL = s.cluster.url(0)
	}
	all, err := store.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, all.Close()) }()
	for id, told := range v.Told {
		events, err := all.Load(ctx, id, 0)
		if err != nil {
			return nil, fmt.Errorf("%w: match %s: %w", errUntrue, id, err)
		}
		var state match.State
		for _, e := range events {
			if state, err = state.Apply(e); err != nil {
				return nil, fmt.Errorf("%w: match %s: %w", errUntrue, id, err)
			}
		}
		for i, move := range told {
			if i >= len(state.Moves) || state.Variant.FormatMove(state.Moves[i]) != move {
				return nil, fmt.Errorf("%w: ply %d of match %s was %s, and %v are stored", errUntrue, i+1, id, move,
					state.Moves)
			}
		}
	}
	var b bytes.Buffer
	err = all.History().DumpRatings(ctx, &b)
	return b.Bytes(), err
}

// sameLadders returns the ladder of bots, or errRatings if two servers show different ones.
func (s *stage) sameLadders(ctx context.Context) (first []byte, err error) {
	for i, server := range s.nodes {
		ladder, err := readLadder(ctx, server)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			first = ladder
		case !bytes.Equal(ladder, first):
			return nil, fmt.Errorf("%w: the ladder of %s is\n%s\nand of %s\n%s", errRatings, s.nodes[0].name, first,
				server.name, ladder)
		}
	}
	return first, nil
}

func readLadder(ctx context.Context, server *node) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	conn, err := net.Dial("tcp", server.address)
	if err != nil {
		return nil, err
	}
	client, err := botclient.Login(ctx, conn, "reader", nil)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer func() { _ = client.Close() }()
	channel, err := botclient.Start(client, "", "ladder --bots --json --limit 200")
	if err != nil {
		return nil, err
	}
	return io.ReadAll(channel)
}
