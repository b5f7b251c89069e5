package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"notakto/internal/interrupt"
)

// measureMoves has bots play matches at once, and returns the moves a second that the server has recorded and told to
// both players. syncs is the number of small writes a second that the disk can sync one after the other.
func (o *options) measureMoves(ctx context.Context) (moves, syncs float64, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	data, err := os.MkdirTemp(o.dir, "moves")
	if err != nil {
		return 0, 0, err
	}
	if syncs, err = countSyncs(filepath.Join(data, "syncs")); err != nil {
		return 0, 0, err
	}
	s, err := o.startNotakto(ctx, data)
	if err != nil {
		return 0, 0, err
	}
	told := new(atomic.Int64)
	f := &fleet{reader: func(c *client) func([]byte) { return (&bot{client: c, told: told}).read }}
	defer func() { f.close() }()
	defer s.stop()
	if err := f.grow(ctx, s.address, "bot", 2*o.matches); err != nil {
		return 0, 0, err
	}
	if err := interrupt.Pause(ctx, rest); err != nil { // the matches begin
		return 0, 0, err
	}
	var before int64
	var took time.Duration
	_, err = o.used(ctx, s, "moves", func() error {
		began := time.Now()
		before = told.Load()
		defer func() { took = time.Since(began) }()
		return interrupt.Pause(ctx, o.window())
	})
	return float64(told.Load()-before) / 2 / took.Seconds(), syncs, err
}

// countSyncs writes and syncs a page again and again for a second.
func countSyncs(name string) (float64, error) {
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	page, count, began := make([]byte, 4096), 0, time.Now()
	for ; time.Since(began) < time.Second; count++ {
		if _, err := file.Write(page); err != nil {
			return 0, err
		}
		if err := file.Sync(); err != nil {
			return 0, err
		}
	}
	return float64(count) / time.Since(began).Seconds(), nil
}

// bot plays matches on nine boards, one after the other. No move of the first 54 plies kills a board, so the bots need
// no rules. The mover then resigns, and both players seek again.
type bot struct {
	client *client
	told   *atomic.Int64 // moves told to all players
	match  string
	seat   int
	line   []byte // the beginning of a line
}

const boards, safePlies = 9, 54

func (b *bot) read(data []byte) {
	b.line = append(b.line, data...)
	for {
		end := bytes.IndexByte(b.line, '\n')
		if end < 0 {
			return
		}
		b.answer(b.line[:end])
		b.line = append(b.line[:0], b.line[end+1:]...)
	}
}

func (b *bot) answer(line []byte) {
	var event struct {
		Event, Match    string
		Seat, Ply, Turn int
		Message         string
	}
	if json.Unmarshal(line, &event) != nil {
		return
	}
	switch event.Event {
	case "welcome", "end":
		b.say(`{"do":"seek","variant":"notakto/9"}`)
		return
	case "match":
		b.match, b.seat = event.Match, event.Seat
	case "move":
		b.told.Add(1)
	default:
		return
	}
	switch {
	case event.Turn != b.seat:
	case event.Ply == safePlies:
		b.say(fmt.Sprintf(`{"do":"resign","match":%q}`, b.match))
	default:
		b.say(fmt.Sprintf(`{"do":"move","match":%q,"move":"%c%c"}`, b.match, 'A'+event.Ply%boards,
			"168294"[event.Ply/boards]))
	}
}

func (b *bot) say(line string) { _ = b.client.send(line + "\n") } // a lost connection shows in the count of moves
