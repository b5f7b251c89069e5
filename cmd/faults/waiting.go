package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

var (
	errUnsettled = errors.New("players still have something to do")
	errAlone     = errors.New("no player came back")
)

// backTime is how long it may take until the first player is back.
const backTime = 60 * time.Second

func (s *stage) settled(ctx context.Context) error {
	late := time.NewTimer(s.settle)
	defer late.Stop()
	select {
	case <-s.crowd.Settled():
		return nil
	case <-late.C:
		return fmt.Errorf("%d %w after %v in which nothing was broken", s.crowd.Busy(), errUnsettled, s.settle)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// back waits until some player has been welcomed.
func (s *stage) back(ctx context.Context, servers ...*server) error {
	late := time.NewTimer(backTime)
	defer late.Stop()
	select {
	case <-s.crowd.Back():
		return nil
	case <-servers[0].gone:
		return fmt.Errorf("%w has ended by itself:\n%s", errServer, servers[0].tail())
	case <-late.C:
		return fmt.Errorf("%w within %v:\n%s", errAlone, backTime, servers[0].tail())
	case <-ctx.Done():
		return ctx.Err()
	}
}
