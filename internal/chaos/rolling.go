package main

import (
	"context"
	"errors"
	"net"
	"syscall"
	"time"

	"notakto/internal/interrupt"
)

const (
	balancerTries = 10 * time.Second // time to reach a server, while the client waits
	balancerPause = 10 * time.Millisecond
	drainTime     = 2 * time.Second
)

// rolling is one server that is stopped normally and restarted, behind a load balancer that makes its clients wait
// until it is back.
type rolling struct {
	killing
	balancer *relay
}

func (r *rolling) open(ctx context.Context) error {
	r.extra += " --drain " + drainTime.String()
	if err := r.killing.open(ctx); err != nil {
		return err
	}
	l, err := r.server.listen(0)
	if err != nil {
		return err
	}
	r.balancer = newRelay(l, func() (net.Conn, error) { return r.reach(ctx) })
	return nil
}

// reach tries to connect until the server accepts.
func (r *rolling) reach(ctx context.Context) (net.Conn, error) {
	ctx, stop := context.WithTimeout(ctx, balancerTries)
	defer stop()
	for {
		conn, _, err := r.killing.dial(ctx, 0)
		if err == nil {
			return conn, nil
		}
		if waited := interrupt.Pause(ctx, balancerPause); waited != nil {
			return nil, errors.Join(err, waited)
		}
	}
}

func (r *rolling) dial(context.Context, int) (net.Conn, string, error) {
	conn, err := net.Dial("tcp", r.balancer.listener.Addr().String())
	return conn, "balancer", err
}

func (r *rolling) harm(ctx context.Context) error {
	for end := time.Now().Add(r.lasting); time.Now().Before(end); {
		if err := interrupt.Pause(ctx, r.every/2+time.Duration(r.rng.Int64N(int64(r.every)))); err != nil {
			return err
		}
		if err := r.server.end(syscall.SIGTERM); err != nil {
			return err
		}
		r.harms++
		if err := r.server.start(); err != nil {
			return err
		}
		if err := r.server.reachable(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *rolling) close() error {
	var balancer error
	if r.balancer != nil {
		balancer = r.balancer.close()
	}
	return errors.Join(balancer, r.killing.close())
}
