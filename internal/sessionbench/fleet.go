package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"notakto/internal/interrupt"
)

const (
	loginsAtOnce = 32  // handshakes are work for the processor
	walksAtOnce  = 256 // ways from the lobby to a table are mostly waiting
	settled      = 100 * time.Millisecond
)

// fleet is all clients of one server.
type fleet struct {
	options   Options
	times     *times
	clients   []*client
	listening sync.WaitGroup
}

// newFleet logs count clients in and waits until each has seen its first frame. The caller closes the fleet, an error
// or not.
func newFleet(ctx context.Context, address string, count int, o Options) (*fleet, error) {
	f := &fleet{options: o, times: newTimes(), clients: make([]*client, count)}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loginsAtOnce)
	for i := range f.clients {
		group.Go(func() error {
			c, err := dial(ctx, address, i, o, f.times)
			if err != nil {
				return fmt.Errorf("session %d: %w", i, err)
			}
			f.clients[i] = c
			f.listening.Go(c.listen)
			return c.settle(ctx, 0)
		})
	}
	return f, group.Wait()
}

// walk types keys in every session, and after each key waits for output that ends in silence.
func (f *fleet) walk(ctx context.Context, keys ...string) error {
	return f.each(ctx, func(ctx context.Context, c *client) error {
		for _, key := range keys {
			c.forget()
			if err := c.send(key); err != nil {
				return err
			}
			if err := c.settle(ctx, settled); err != nil {
				return fmt.Errorf("after %q: %w", key, err)
			}
		}
		return nil
	})
}

// settle waits in every session for output that ends in silence.
func (f *fleet) settle(ctx context.Context) error {
	return f.each(ctx, func(ctx context.Context, c *client) error { return c.settle(ctx, settled) })
}

func (f *fleet) each(ctx context.Context, do func(context.Context, *client) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(walksAtOnce)
	for i, c := range f.clients {
		group.Go(func() error {
			if err := do(ctx, c); err != nil {
				return fmt.Errorf("session %d: %w", i, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// part returns up to count of the fleet's clients. It must not be closed.
func (f *fleet) part(count int) *fleet {
	return &fleet{options: f.options, clients: f.clients[:min(count, len(f.clients))]}
}

// bytesOf returns how many bytes each client receives, on average, while do runs.
func (f *fleet) bytesOf(do func() error) (float64, error) {
	before := f.received()
	err := do()
	return float64(f.received()-before) / float64(len(f.clients)), err
}

// press moves cursors at the rate of the options for a second, the sessions taking turns in the order given; sent keys
// were sent before. A slow server does not reduce the rate.
func (f *fleet) press(ctx context.Context, order []int, sent int) error {
	walk := cursorWalk()
	interval := time.Second / time.Duration(f.options.Rate)
	start := time.Now()
	for done := 0; done < f.options.Rate; {
		for due := min(f.options.Rate, 1+int(time.Since(start)/interval)); done < due; done++ {
			c := f.clients[order[(sent+done)%len(order)]]
			if err := c.press(walk[c.step%len(walk)].key); err != nil {
				return err
			}
			c.step++
		}
		if err := interrupt.Pause(ctx, time.Until(start.Add(time.Duration(done)*interval))); err != nil {
			return err
		}
	}
	return nil
}

// received returns the number of bytes that all clients have received.
func (f *fleet) received() int64 {
	var sum int64
	for _, c := range f.clients {
		sum += c.received.Load()
	}
	return sum
}

// close closes the connections and waits for the clients' goroutines.
func (f *fleet) close() {
	for _, c := range f.clients {
		if c != nil {
			_ = c.conn.Close()
		}
	}
	f.listening.Wait()
}
