package main

import (
	"context"
	"time"
)

const (
	patience       = 5 * time.Second        // for keys that are unanswered at the end
	movingSessions = 500                    // that play a move
	moveSettled    = 500 * time.Millisecond // longer than the computer opponent thinks
)

func (t *trial) idle(ctx context.Context) error {
	if err := pause(ctx, rest); err != nil {
		return err
	}
	received := t.fleet.received()
	if err := t.profile("cpu", "idle"); err != nil {
		return err
	}
	used, err := t.watch(func() error { return pause(ctx, t.options.window()) })
	if err != nil {
		return err
	}
	t.result.IdleCPU = used.server
	t.result.IdleBytes = t.fleet.received() - received
	return t.profile("cpu", "")
}

func (t *trial) press(ctx context.Context) error {
	if err := t.profile("cpu", "load"); err != nil {
		return err
	}
	received := t.fleet.received()
	used, err := t.watch(func() error {
		var err error
		t.result.Keys, err = t.fleet.press(ctx)
		return err
	})
	if err != nil {
		return err
	}
	t.result.LoadCPU, t.result.ClientCPU, t.result.OtherCPU = used.server, used.clients, used.others
	t.result.KeysPerSecond = float64(t.result.Keys) / used.window.Seconds()
	t.result.Unanswered = t.fleet.times.wait(ctx, patience)
	if err := pause(ctx, rest); err != nil {
		return err
	}
	sorted := t.fleet.times.sorted()
	t.result.P50, t.result.P99 = percentile(sorted, 0.50), percentile(sorted, 0.99)
	t.result.KeyBytes = float64(t.fleet.received()-received) / float64(t.result.Keys)
	return t.profile("cpu", "")
}

// play places a mark in some sessions and counts the bytes of each move that comes to the screen.
func (t *trial) play(ctx context.Context) error {
	if t.contender.place == "" {
		return nil
	}
	some := &fleet{options: t.options, clients: t.fleet.clients[:min(movingSessions, len(t.fleet.clients))]}
	received := some.received()
	if err := some.walk(ctx, []string{t.contender.place}, moveSettled); err != nil {
		return err
	}
	t.result.MoveBytes = float64(some.received()-received) / float64(len(some.clients)*t.contender.shown)
	return nil
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
