package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"notakto/internal/interrupt"
)

const (
	drainTimeout = 5 * time.Second // for keys that are unanswered at the end
	busyOthers   = 10              // percent of a core; a second in which other processes use more is not quiet
)

func (t *trial) idle(ctx context.Context) error {
	if err := interrupt.Pause(ctx, rest); err != nil {
		return err
	}
	received := t.fleet.received()
	if err := t.profile("cpu", "idle"); err != nil {
		return err
	}
	used, err := t.watch(func() error { return interrupt.Pause(ctx, t.options.window()) })
	if err != nil {
		return err
	}
	t.result.IdleCPU = used.server
	t.result.IdleBytes = t.fleet.received() - received
	return t.profile("cpu", "")
}

// press moves cursors second by second, so that the seconds in which other programs kept the machine busy can be
// excluded.
func (t *trial) press(ctx context.Context) error {
	if err := t.profile("cpu", "load"); err != nil {
		return err
	}
	var all, quiet []time.Duration
	var sum usage
	order := rand.Perm(len(t.fleet.clients))
	for second := range t.options.Seconds {
		used, err := t.watch(func() error { return t.fleet.press(ctx, order, second*t.options.Rate) })
		if err != nil {
			return err
		}
		sum.add(used)
		taken := t.fleet.times.take()
		all = append(all, taken...)
		if used.others < busyOthers {
			quiet = append(quiet, taken...)
			t.result.QuietSeconds++
		}
	}
	t.result.Unanswered = t.fleet.times.wait(ctx, drainTimeout)
	all = append(all, t.fleet.times.take()...)
	t.tell(sum, all, quiet)
	if err := t.profile("cpu", ""); err != nil {
		return err
	}
	after, err := t.collected()
	t.result.Played = t.each(after.resident, t.empty.resident)
	return err
}

// tell stores the answer times in the result.
func (t *trial) tell(sum usage, all, quiet []time.Duration) {
	slices.Sort(all)
	slices.Sort(quiet)
	seconds := float64(t.options.Seconds)
	r := &t.result
	r.Keys = t.options.Seconds * t.options.Rate
	r.KeysPerSecond = float64(r.Keys) / sum.window.Seconds()
	r.P50, r.P99 = percentile(all, 0.50), percentile(all, 0.99)
	r.QuietP50, r.QuietP99 = percentile(quiet, 0.50), percentile(quiet, 0.99)
	r.LoadCPU, r.ClientCPU, r.OtherCPU = sum.server/seconds, sum.clients/seconds, sum.others/seconds
}
