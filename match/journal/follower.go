package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/journal/natsd"
)

// heartbeat is how often an idle consumer reports that it is alive. After three missing heartbeats it is replaced.
const heartbeat = time.Second

// catchUpMax is how many messages a follower asks the leader for, one after another, before it leaves the rest to a
// consumer.
const catchUpMax = 1000

var (
	errGap    = errors.New("a message of the stream was lost on the way")
	errBehind = errors.New("the consumer's server is behind the leader")
)

// message is a message of a stream.
type message struct {
	subject string
	seq     uint64
	stamp   time.Time // by the clock of the server that recorded it
	at      time.Time // by this process's clock
	header  nats.Header
	body    []byte
}

// follower delivers the messages of a stream once and in order, from a sequence on, through restarts of the server and
// changes of its leader. Its consumers live in the server's memory and end with it. When one falls silent or skips a
// message, the next one continues after the last delivered message.
type follower struct {
	conn      *nats.Conn
	clock     clock
	stream    jetstream.Stream
	next      uint64 // the first sequence that was not delivered
	deliverTo func(message)
	mend      mender // nil for a stream that loses nothing
	log       *slog.Logger

	// ticked is when this process last saw a sign that the follower goes on, in Unix nanoseconds: a message, a heartbeat,
	// or the end of a consumer. While messages are being delivered in vain, there is none.
	ticked    atomic.Int64
	delivered atomic.Uint64 // the last sequence that was delivered, or skipped

	once   sync.Once
	caught chan struct{} // closed once all that was there at first has been delivered

	mu  sync.Mutex
	sub *nats.Subscription
}

func newFollower(n *natsd.Node, clock clock, stream jetstream.Stream, next uint64, deliver func(message)) *follower {
	f := &follower{
		conn: n.JetStream.Conn(), clock: clock, stream: stream, next: next, deliverTo: deliver,
		log: n.Config.Log.With("stream", stream.CachedInfo().Config.Name), caught: make(chan struct{}),
	}
	f.delivered.Store(next - 1)
	return f
}

// run returns when ctx has ended.
func (f *follower) run(ctx context.Context) {
	defer context.AfterFunc(ctx, f.restart)()
	for ctx.Err() == nil {
		f.ticked.Store(time.Now().UnixNano())
		if err := f.session(ctx); ctx.Err() == nil {
			f.log.Debug("the journal's follower begins anew",
				"event", "follower-restart", "after", f.next-1, "error", err)
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
		f.catchUp(ctx) // this need not wait for a consumer, which takes a leader of the cluster
	}
	consumer, err := f.consumer(ctx, sub.Subject)
	if err != nil {
		return err
	}
	if consumer.CachedInfo().NumPending == 0 {
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
		f.ticked.Store(time.Now().UnixNano())
		isHeartbeat := isControl(msg) && msg.Reply == ""
		if !isHeartbeat || !f.isLive() {
			continue
		}
		before := f.next
		if f.catchUp(ctx) > 0 {
			late++
		} else {
			late = 0
		}
		if late > 1 || f.next < before { // it is read again from there, where this consumer no longer is
			return errBehind
		}
	}
}

// consumer creates a consumer that starts at the next sequence.
//
// [jetstream.Stream.OrderedConsumer] does most of this, but its reset can block for ten seconds, and it does not pass
// on heartbeats.
func (f *follower) consumer(ctx context.Context, to string) (jetstream.PushConsumer, error) {
	ctx, cancel := context.WithTimeout(ctx, natsd.AnswerWithin)
	defer cancel()
	return f.stream.CreatePushConsumer(ctx, jetstream.ConsumerConfig{
		Name: rand.Text(), DeliverSubject: to, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: f.next,
		AckPolicy: jetstream.AckNonePolicy, MaxDeliver: 1, FlowControl: true, IdleHeartbeat: heartbeat,
		InactiveThreshold: 5 * heartbeat, // after that the server deletes it
		MemoryStorage:     true, Replicas: 1,
	})
}

// take handles a message of a consumer and returns how many the consumer has delivered.
func (f *follower) take(msg *nats.Msg, delivered uint64) (uint64, error) {
	if isControl(msg) {
		return delivered, f.control(msg, delivered)
	}
	meta, err := msg.Metadata()
	if err != nil {
		return delivered, err
	}
	if meta.Sequence.Consumer != delivered+1 {
		return delivered, errGap
	}
	f.deliver(message{
		subject: msg.Subject, seq: meta.Sequence.Stream, stamp: meta.Timestamp, header: msg.Header, body: msg.Data,
	})
	if meta.NumPending == 0 {
		f.once.Do(func() { close(f.caught) })
	}
	return delivered + 1, nil
}

// deliver delivers a message with its stamp, unless it was delivered before.
func (f *follower) deliver(m message) {
	if m.seq < f.next {
		return
	}
	f.next = m.seq + 1
	f.delivered.Store(m.seq)
	m.at = f.clock.read(m.stamp, f.isLive())
	f.deliverTo(m)
}

// isLive reports whether all that was there at first has been delivered.
func (f *follower) isLive() bool {
	select {
	case <-f.caught:
		return true
	default:
		return false
	}
}

// isControl reports whether a message is a heartbeat, or one of flow control, which wants a reply.
func isControl(msg *nats.Msg) bool { return msg.Header.Get("Status") == "100" }

// control checks the sequence in a control message and replies if the server waits for that.
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

// catchUp mends the stream, delivers what its leader has beyond what was delivered, and returns how many messages that
// were. After a partition this is the fastest way: a new consumer waits for the election of the cluster's leader, and
// one on a server that is behind delivers nothing until that server has caught up.
func (f *follower) catchUp(ctx context.Context) (n int) {
	if f.mend != nil {
		f.next = f.mend(ctx, f.next)
	}
	for ; n < catchUpMax; n++ {
		m, err := f.ask(ctx)
		if err != nil { // there is none, or the leader does not answer
			break
		}
		f.deliver(m)
	}
	return n
}

// ask asks the leader of the stream for the next message.
func (f *follower) ask(ctx context.Context) (message, error) {
	ctx, cancel := context.WithTimeout(ctx, heartbeat)
	defer cancel()
	m, err := f.stream.GetMsg(ctx, f.next, jetstream.WithGetMsgSubject(">"))
	if err != nil {
		return message{}, err
	}
	return message{subject: m.Subject, seq: m.Sequence, stamp: m.Time, header: m.Header, body: m.Data}, nil
}
