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
	// silentFor is how long nothing may come from the other servers before they are called. Each leader says something
	// once a second.
	silentFor = 1800 * time.Millisecond
	// callWithin is how long a server may take to answer a call.
	callWithin = time.Second
	// tryAfter is when a server that sits out is started all the same, and stopped again if nothing comes: a firewall
	// may drop what is sent to a port without a listener, and then two servers that sit out cannot reach each other.
	tryAfter = 20 * time.Second
)

// isolation finds out that the network has cut this server off from most of its cluster.
//
// A server that is cut off calls elections in vain, each with a higher term. With that term it would depose the leaders
// that it finds when the network is well again, and no player could move for up to nine seconds. So it is stopped
// before it calls the first, which is after four.
type isolation struct {
	peers    []string // the other servers' addresses; none for a server of its own
	call     func(ctx context.Context, peer string) error
	received int64     // how many messages came from them
	since    time.Time // when the last one did
	began    time.Time // when this server was found to be cut off; zero if it is not
}

// isCutOff reports whether nothing comes from the other servers and too few of them can be reached. It waits for
// callWithin at most.
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

// call reports whether a server can be reached. One that refuses the connection is reached: the network is well, and
// that server may be waiting for this one.
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

// received returns how many messages have come from other servers over the connections that are open, and how many
// servers these lead to.
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

// compact drops what Raft keeps of the matches beside the stream, if this server leads them. A server that comes back
// then gets a snapshot. From the log, a leader that was cut off takes back what it had not committed one entry at a
// time, each in two seconds (nats-server 2.15.2), and is no help if another server dies before that.
func (h *embeddedServer) compact() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil || !h.server.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, MatchesStream) {
		return nil
	}
	return h.server.JetStreamSnapshotStream(server.DEFAULT_GLOBAL_ACCOUNT, MatchesStream)
}

// waitForMajority stops the server until enough others can be reached, or it is time for a try. Sessions live on, and
// are told that nothing can be recorded.
func (k *Monitor) waitForMajority(ctx context.Context) {
	i, stopped := &k.isolation, time.Now()
	if i.began.IsZero() {
		i.began = stopped
		k.log.Warn("the other servers of the cluster cannot be reached: nothing is recorded here until they can", "peers", i.peers)
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
		k.log.Error("the journal's server does not come back", "err", err)
	}
	i.since = time.Now()
}

// logReachable says in the log that the others can be reached again, once something has come from them.
func (k *Monitor) logReachable(received int64) {
	if i := &k.isolation; received > 0 && !i.began.IsZero() {
		k.log.Info("the other servers of the cluster can be reached again", "after", time.Since(i.began).Round(time.Millisecond))
		i.began = time.Time{}
		k.cutOff.Store(false)
	}
}
