package journal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/journal/natsd"
)

// heartbeat is how often a consumer that has nothing to tell says that it is there. After three without a word it is
// given up.
const heartbeat = time.Second

var (
	errGap    = errors.New("a message of the stream got lost on the way")
	errBehind = errors.New("the server that the consumer is at is behind the leader")
)

// message is an entry of a stream as a follower tells it.
type message struct {
	subject string
	seq     uint64
	at      time.Time
	header  nats.Header
	body    []byte
}

// follower tells of the messages of a stream in order and each once, from a sequence on, through every restart of the
// server and every change of its leader. Its consumers live in the server's memory and die with it; whenever one falls
// silent or skips something the next goes on after the last message that was told.
type follower struct {
	conn      *nats.Conn
	clock     clock
	stream    string
	next      uint64 // the first sequence that was not told
	deliverTo func(message)
	mend      mender // nil for a stream that forgets nothing
	log       *slog.Logger

	once   sync.Once
	caught chan struct{} // closed once all that was there at first has been told

	mu  sync.Mutex
	sub *nats.Subscription
}

func newFollower(conn *nats.Conn, log *slog.Logger, clock clock, stream string, next uint64, deliver func(message)) *follower {
	return &follower{conn: conn, clock: clock, stream: stream, next: next, deliverTo: deliver, log: log, caught: make(chan struct{})}
}

// run returns when ctx has ended.
func (f *follower) run(ctx context.Context) {
	defer context.AfterFunc(ctx, f.restart)()
	for ctx.Err() == nil {
		if err := f.session(ctx); ctx.Err() == nil {
			f.log.Debug("the journal's follower begins anew", "stream", f.stream, "after", f.next-1, "why", err)
		}
		natsd.Wait(ctx, natsd.RetryDelay)
	}
}

// restart ends the session, so that another begins.
func (f *follower) restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sub != nil {
		_ = f.sub.Unsubscribe() // it ends anyway
	}
}

// session follows by one consumer until that fails.
func (f *follower) session(ctx context.Context) error {
	sub, err := f.conn.SubscribeSync(f.conn.NewInbox())
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.sub = sub
	f.mu.Unlock()
	defer f.restart()
	if err := sub.SetPendingLimits(-1, -1); err != nil { // the server's flow control keeps it short
		return err
	}
	if f.isLive() {
		_, _ = f.catchUp(ctx) // what came since need not wait for a consumer, which takes a leader of the cluster
	}
	name := rand.Text()
	pending, err := f.consumer(ctx, name, sub.Subject)
	if err != nil {
		return err
	}
	defer func() { _ = f.conn.Publish("$JS.API.CONSUMER.DELETE."+f.stream+"."+name, nil) }() // or else it dies by itself
	if pending == 0 {
		f.once.Do(func() { close(f.caught) })
	}
	for delivered, late := uint64(0), 0; ; {
		msg, err := sub.NextMsg(3 * heartbeat)
		if err != nil {
			return err
		}
		if delivered, err = f.take(msg, delivered); err != nil {
			return err
		}
		if !isHeartbeat(msg) || !f.isLive() {
			continue
		}
		before := f.next
		n, _ := f.catchUp(ctx)
		switch {
		case f.next < before: // the stream is read again, and this consumer is somewhere behind
			return errBehind
		case n == 0:
			late = 0
		default:
			if late++; late > 1 {
				return errBehind
			}
		}
	}
}

// take handles what a consumer sent and returns how many messages it has delivered.
func (f *follower) take(msg *nats.Msg, delivered uint64) (uint64, error) {
	if msg.Header.Get("Status") == "100" {
		return delivered, f.control(msg, delivered)
	}
	meta, err := msg.Metadata()
	if err != nil {
		return delivered, err
	}
	if meta.Sequence.Consumer != delivered+1 {
		return delivered, errGap
	}
	f.deliver(message{subject: msg.Subject, seq: meta.Sequence.Stream, at: meta.Timestamp, header: msg.Header, body: msg.Data})
	if meta.NumPending == 0 {
		f.once.Do(func() { close(f.caught) })
	}
	return delivered + 1, nil
}

// deliver tells a message with its stamp, unless it was told before.
func (f *follower) deliver(m message) {
	if m.seq < f.next {
		return
	}
	f.next = m.seq + 1
	m.at = f.clock.read(m.at, f.isLive())
	f.deliverTo(m)
}

// isLive reports whether all that was there at first has been told.
func (f *follower) isLive() bool {
	select {
	case <-f.caught:
		return true
	default:
		return false
	}
}

// control answers a heartbeat or the server's question whether this side keeps up.
func (f *follower) control(msg *nats.Msg, delivered uint64) error {
	if last := msg.Header.Get("Nats-Last-Consumer"); last != "" && last != strconv.FormatUint(delivered, 10) {
		return errGap
	}
	reply := msg.Reply
	if reply == "" {
		reply = msg.Header.Get("Nats-Consumer-Stalled")
	}
	if reply == "" {
		return nil
	}
	return f.conn.Publish(reply, nil)
}

var errNoConsumer = errors.New("the server makes no consumer")

// consumer asks for what comes from the next sequence on, and returns how much of that is there already.
func (f *follower) consumer(ctx context.Context, name, to string) (pending uint64, err error) {
	request, err := json.Marshal(map[string]any{"stream_name": f.stream, "config": map[string]any{
		"name": name, "deliver_subject": to, "deliver_policy": "by_start_sequence", "opt_start_seq": f.next, "ack_policy": "none",
		"flow_control": true, "idle_heartbeat": heartbeat, "inactive_threshold": 5 * heartbeat, "mem_storage": true, "num_replicas": 1,
		"replay_policy": "instant", "max_deliver": 1,
	}})
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, natsd.AnswerWithin)
	defer cancel()
	reply, err := f.conn.RequestWithContext(ctx, "$JS.API.CONSUMER.CREATE."+f.stream+"."+name, request)
	if err != nil {
		return 0, err
	}
	var answer struct {
		Error   *jetstream.APIError `json:"error"`
		Pending uint64              `json:"num_pending"`
	}
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		return 0, err
	}
	if answer.Error != nil {
		return 0, fmt.Errorf("%w: %w", errNoConsumer, answer.Error)
	}
	return answer.Pending, nil
}
