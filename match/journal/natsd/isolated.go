package natsd

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const (
	// silentFor is how long the other servers may be silent before they are called. Each leader sends something once a
	// second.
	silentFor = 1800 * time.Millisecond
	// callWithin is how long a server may take to answer a call.
	callWithin = time.Second
	// tryAfter is when a stopped server is started again even if it reaches no majority. A firewall may drop packets to
	// a port without a listener, and then two stopped servers would never reach each other.
	tryAfter = 20 * time.Second
)

// isolation detects that the network has cut this server off from most of its cluster.
//
// A server that is cut off calls elections without success, each with a higher term. When the network recovers, that
// term deposes the other servers' leaders, and no player can move for up to nine seconds. So the server is stopped
// before its first election, which it calls after four seconds.
type isolation struct {
	peers    []string // the other servers' addresses; none for a standalone server
	call     func(ctx context.Context, peer string) error
	received int64     // number of messages received from them
	since    time.Time // when the last one did
	began    time.Time // when this server was found to be cut off; zero if it is not
}

// isCutOff reports whether the other servers are silent and too few of them can be reached. It takes at most
// callWithin.
func (i *isolation) isCutOff(ctx context.Context, received int64) bool {
	if now := time.Now(); received != i.received || i.since.IsZero() {
		i.received, i.since = received, now
	}
	return len(i.peers) > 0 && time.Since(i.since) > silentFor && !i.reachesMajority(ctx)
}

// reachesMajority reports whether this server and those that it can reach are more than half.
func (i *isolation) reachesMajority(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	var calls sync.WaitGroup
	var reached atomic.Int64
	for _, peer := range i.peers {
		calls.Go(func() {
			if i.call(ctx, peer) == nil {
				reached.Add(1)
			}
		})
	}
	calls.Wait()
	return 2*(int(reached.Load())+1) > len(i.peers)+1
}

// call returns nil if a server can be reached. A refused connection counts: the network works, and that server may be
// waiting for this one.
func call(ctx context.Context, peer string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", peer)
	switch {
	case err == nil:
		return conn.Close()
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil
	default:
		return err
	}
}

// received returns how many messages came from other servers over the open connections, and from how many servers.
func (h *embeddedServer) received() (n int64, servers int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil {
		return 0, 0
	}
	routes, err := h.server.Routez(&server.RoutezOptions{})
	if err != nil {
		return 0, 0
	}
	seen := map[string]bool{}
	for _, r := range routes.Routes {
		n += r.InMsgs
		seen[r.RemoteID] = true
	}
	return n, len(seen)
}

// compact compacts the Raft log of MATCHES if this server leads it, so that a rejoining server gets a snapshot. With
// the log, a former leader that was cut off needs two seconds for each entry that it had not committed (nats-server
// 2.15.2), and does not count if another server fails before that.
func (h *embeddedServer) compact() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil || !h.server.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, MatchesStream) {
		return nil
	}
	return h.server.JetStreamSnapshotStream(server.DEFAULT_GLOBAL_ACCOUNT, MatchesStream)
}

// waitForMajority stops the server until a majority can be reached, or tryAfter has passed. Sessions continue; their
// moves are refused with a reason.
func (k *Monitor) waitForMajority(ctx context.Context) {
	i, stopped := &k.isolation, time.Now()
	if i.began.IsZero() {
		i.began = stopped
		k.log.Warn("the other servers of the cluster cannot be reached: nothing is recorded here until they can",
			"event", "cluster-unreachable",
			"peers", i.peers)
	}
	k.cutOff.Store(true)
	k.embedded.stop()
	for ctx.Err() == nil && !i.reachesMajority(ctx) && time.Since(stopped) < tryAfter {
		Wait(ctx, RetryDelay)
	}
	if ctx.Err() != nil {
		return
	}
	if err := k.embedded.start(ctx); err != nil {
		k.log.Error("the journal's server does not come back", "event", "nats-failed", "error", err)
	}
	i.since = time.Now()
}

// logReachable logs that the other servers can be reached again, once one of them has sent something.
func (k *Monitor) logReachable(received int64) {
	if i := &k.isolation; received > 0 && !i.began.IsZero() {
		k.log.Info("the other servers of the cluster can be reached again", "event", "cluster-reachable",
			"duration_ms", time.Since(i.began).Milliseconds())
		i.began = time.Time{}
		k.cutOff.Store(false)
	}
}
