package main

import (
	"context"
	"time"
)

const patience = 5 * time.Second // for keys that are unanswered at the end

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
	sorted := t.fleet.times.sorted()
	t.result.P50, t.result.P99 = percentile(sorted, 0.50), percentile(sorted, 0.99)
	if err := t.profile("cpu", ""); err != nil {
		return err
	}
	after, err := t.collected()
	t.result.Played = t.each(after.resident, t.empty.resident)
	return err
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
