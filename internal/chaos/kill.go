package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"notakto/internal/interrupt"
)

const (
	shortestLoad = 20 * time.Millisecond // from the first player back to the kill
	longestLoad  = 300 * time.Millisecond
	longestStart = 150 * time.Millisecond // from the start to a kill that does not wait for players
)

// serverName is the name of a single server.
const serverName = "server"

// killing is one server that is killed repeatedly.
type killing struct {
	*stage
	server *server
}

func (k *killing) open(ctx context.Context) error {
	here, err := newPlace(false)
	if err != nil {
		return err
	}
	port, err := k.freePort()
	if err != nil {
		return err
	}
	k.server = k.newServer(here, serverName, port)
	if err := k.server.start(); err != nil {
		return err
	}
	return k.server.reachable(ctx)
}

func (k *killing) dial(context.Context, int) (net.Conn, string, error) {
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", k.server.port))
	return conn, k.server.name, err
}

func (k *killing) servers() []*server { return []*server{k.server} }

func (k *killing) harm(ctx context.Context) error { return k.again(ctx, k.kill) }

func (k *killing) kill() error { return k.server.end(syscall.SIGKILL) }

// again ends the server with end and restarts it, as often as the options say.
func (k *killing) again(ctx context.Context, end func() error) error {
	for range k.kills {
		if err := k.instant(ctx); err != nil {
			return err
		}
		if err := end(); err != nil {
			return err
		}
		k.harms++
		k.progress()
		select {
		case <-k.load.Back(): // welcomed before
		default:
		}
		if err := k.server.start(); err != nil {
			return err
		}
	}
	return errors.Join(k.server.reachable(ctx), interrupt.Pause(ctx, longestLoad))
}

// instant waits until the next kill.
func (k *killing) instant(ctx context.Context) error {
	if k.rng.IntN(100) < k.early {
		return interrupt.Pause(ctx, time.Duration(k.rng.Int64N(int64(longestStart))))
	}
	if err := k.back(ctx, k.server); err != nil {
		return err
	}
	return interrupt.Pause(ctx, shortestLoad+time.Duration(k.rng.Int64N(int64(longestLoad-shortestLoad))))
}

func (k *killing) progress() {
	if k.harms%100 == 0 {
		fmt.Fprintf(k.out, "%d kills\n", k.harms)
	}
}

func (k *killing) close() error {
	if k.server == nil || k.server.cmd == nil {
		return nil
	}
	return k.server.end(syscall.SIGTERM)
}
