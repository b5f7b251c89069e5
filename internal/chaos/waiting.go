package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"notakto/internal/interrupt"
)

var (
	errUnsettled = errors.New("players still have something to do")
	errAlone     = errors.New("no player came back")
	errStuck     = errors.New("a table tries again and again what cannot be recorded")
)

// backTime is the time limit for the first player to be back.
const backTime = 60 * time.Second

func (s *stage) settled(ctx context.Context) error {
	late := time.NewTimer(s.settle)
	defer late.Stop()
	select {
	case <-s.load.Settled():
		return nil
	case <-late.C:
		return fmt.Errorf("%d %w after %v in which nothing was broken", s.load.Busy(), errUnsettled, s.settle)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stuckTime is how long a server may still fail to record scheduled events, once nothing is broken any more.
const stuckTime = 5 * time.Second

// calm waits until the servers had time to recover, and reports one that has not.
func (s *stage) calm(ctx context.Context, quiet time.Time, servers []*server) error {
	if err := interrupt.Pause(ctx, time.Until(quiet.Add(stuckTime))); err != nil {
		return err
	}
	for _, server := range servers {
		if time.Since(server.when(cannotRecord)) < stuckTime/2 {
			return fmt.Errorf("%w at %s:\n%s", errStuck, server.name, server.tail())
		}
	}
	return nil
}

// back waits until some player has been welcomed.
func (s *stage) back(ctx context.Context, servers ...*server) error {
	late := time.NewTimer(backTime)
	defer late.Stop()
	select {
	case <-s.load.Back():
		return nil
	case <-servers[0].gone:
		return fmt.Errorf("%w has ended by itself:\n%s", errServer, servers[0].tail())
	case <-late.C:
		return fmt.Errorf("%w within %v:\n%s", errAlone, backTime, servers[0].tail())
	case <-ctx.Done():
		return ctx.Err()
	}
}
