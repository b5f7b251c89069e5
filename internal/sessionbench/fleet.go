package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"notakto/internal/rig"
)

const (
	loginsAtOnce  = 32 // few, because a handshake keeps the CPU busy
	answerTimeout = 30 * time.Second
	rest          = time.Second // pause between phases, for pending work
)

// fleet holds the clients of one server, with sessions of one kind.
type fleet struct {
	*server
	kind
	number    int // of the first player; a player who returns costs more than a new one
	clients   []*client
	listening sync.WaitGroup

	mu    sync.Mutex
	taken rig.Times // from keys to their answers
}

// grow logs clients in until there are count, and waits for the first output of each.
func (f *fleet) grow(count int) {
	group, ctx := errgroup.WithContext(f.ctx)
	group.SetLimit(loginsAtOnce)
	for i := len(f.clients); i < count && f.err == nil; i++ {
		f.clients = append(f.clients, nil)
		group.Go(func() error {
			c, err := dial(ctx, f.Address("address"), f.number+i, f.command)
			if err != nil {
				return fmt.Errorf("session %d: %w", i, err)
			}
			shown := make(chan struct{})
			c.onData = func() {
				close(shown)
				c.onData = func() { f.timeKey(c) }
			}
			f.mu.Lock()
			f.clients[i] = c
			f.mu.Unlock()
			f.listening.Go(c.listen)
			select {
			case <-shown:
				return nil
			case <-time.After(answerTimeout):
				return fmt.Errorf("session %d: %w", i, errSilent)
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}
	f.do(group.Wait)
}

// leaveVisit leads the sessions from the index first on to the lobby, because a new player comes to the first visit.
// They go one after the other, because a crowd that draws at once leaves the server with more memory.
func (f *fleet) leaveVisit(first int) {
	if !f.isVisit {
		return
	}
	for i := first; i < len(f.clients) && f.err == nil; i++ {
		f.err = f.clients[i].send("q")
		f.pause(time.Millisecond)
	}
	f.pause(rest)
}

func (f *fleet) timeKey(c *client) {
	if pressed := c.pressed.Swap(0); pressed != 0 {
		took := time.Duration(time.Now().UnixNano() - pressed)
		f.mu.Lock()
		f.taken = append(f.taken, took)
		f.mu.Unlock()
	}
}

// press presses rate keys a second for a window, however slow the server is. Sessions take turns, and each presses the
// two keys of its kind in turn. A session times one key at a time. taken has the sorted times from a key to the next
// output, and answerTimeout for each key without an answer. total is the number of keys pressed.
func (f *fleet) press(rate int) (taken rig.Times, total int) {
	order := rand.Perm(len(f.clients))
	interval := time.Second / time.Duration(rate)
	asked := 0 // keys to time
	total = int(f.window() / interval)
	begin := time.Now()
	for sent := 0; sent < total && f.err == nil; {
		for due := min(total, 1+int(time.Since(begin)/interval)); sent < due; sent++ {
			c := f.clients[order[sent%len(order)]]
			if c.pressed.CompareAndSwap(0, time.Now().UnixNano()) {
				asked++
			}
			key := f.down
			if c.typed%2 == 1 {
				key = f.up
			}
			c.typed++
			f.do(func() error { return c.send(key) })
		}
		f.pause(time.Until(begin.Add(time.Duration(sent) * interval)))
	}
	isDone := func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.taken) == asked
	}
	for late := time.Now().Add(answerTimeout); time.Now().Before(late) && !isDone() && f.err == nil; {
		f.pause(time.Millisecond)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	taken, f.taken = f.taken, nil
	for len(taken) < asked {
		taken = append(taken, answerTimeout)
	}
	slices.Sort(taken)
	return taken, total
}

func (f *fleet) close() {
	for _, c := range f.clients {
		if c != nil {
			_ = c.conn.Close()
		}
	}
	f.listening.Wait()
}
