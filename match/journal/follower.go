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

	"notakto/match"
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

// maxDelay is the maximum age, by its stamp, of a live message. An older one was delayed, or stamped by a server whose
// clock is behind: it gets the time of its arrival, so that no player's clock loses time.
const maxDelay = 2 * time.Second

// clock is this process's clock: the system's at the start, plus the monotonic time since. It does not jump when the
// system's clock is set, or when a server with another clock stamps the messages. The zero value is not usable.
type clock struct {
	start time.Time // by the system's clock
	begun time.Time // the same moment, with its monotonic reading
}

func newClock() clock {
	now := time.Now()
	return clock{start: now.Round(0), begun: now}
}

func (c clock) now() time.Time { return c.start.Add(time.Since(c.begun)) }

// read converts the stamp of a message to this clock. A live message was stamped just now, others at any time before.
// The result is never in the future.
func (c clock) read(stamp time.Time, live bool) time.Time {
	now := c.now()
	if age := now.Sub(stamp); age < 0 || live && age > maxDelay {
		return now
	}
	return stamp
}

// past returns at, or now if that is in the future: another node may have recorded it while its clock was ahead.
func (c clock) past(at time.Time) time.Time { return c.read(at, false) }

// shortFor is how long the leader of a stream must lack messages that were delivered before they count as lost: a new
// leader may still be applying them.
const shortFor = 5 * time.Second

// mender checks whether a stream has lost delivered messages, repairs what it can, and returns the sequence from which
// the follower continues: next, or a lower one if sequences are used again. Only the follower's goroutine calls it.
type mender func(ctx context.Context, next uint64) uint64

// mendLog returns the mender of MATCHES or ARCHIVE at an external NATS. info is the stream at the start. A missing
// stream is created again. If messages are lost, lose is called with the last remaining sequence and the number of lost
// ones. It logs that and returns the sequence from which the follower continues: servers may have recorded more since.
func mendLog(n *natsd.Node, info *jetstream.StreamInfo,
	lose func(ctx context.Context, end, missing uint64) (uint64, error)) mender {
	made, name := info.Created, info.Config.Name
	var short time.Time // when the stream was first too short; zero if it is not
	return func(ctx context.Context, next uint64) uint64 {
		ctx, cancel := context.WithTimeout(ctx, mendWithin)
		defer cancel()
		info, err := natsd.StreamInfo(ctx, n.JetStream, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			if err = n.Streams.Restore(ctx); err == nil {
				info, err = natsd.StreamInfo(ctx, n.JetStream, name)
			}
		}
		if err != nil {
			n.Config.Log.Debug("whether the stream is whole cannot be told",
				"event", "stream-unknown", "stream", name, "error", err)
			return next
		}
		end := info.State.LastSeq
		switch {
		case info.Created.After(made.Add(time.Second)):
			made, end = info.Created, 0
		case end+1 >= next:
			short = time.Time{}
			return next
		case info.Cluster != nil && short.IsZero():
			short = time.Now()
			return next
		case info.Cluster != nil && time.Since(short) < shortFor:
			return next
		}
		short = time.Time{}
		from, err := lose(ctx, end, next-1-min(end, next-1))
		if err != nil {
			n.Config.Log.Debug("what the stream has lost cannot be told",
				"event", "stream-unknown", "stream", name, "error", err)
			return next
		}
		return from
	}
}

// loseEvents marks the live matches as damaged of which MATCHES no longer has the last entry.
func loseEvents(ctx context.Context, n *natsd.Node, v *index, missing uint64) (from uint64, err error) {
	whole := uint64(0) // the last sequence of the matches that have lost nothing
	var lost []match.ID
	for id, last := range v.ends() {
		m, err := n.Streams.Matches.GetMsg(ctx, last)
		switch {
		case err == nil && m.Subject == natsd.MatchSubject+string(id):
			whole = max(whole, last)
		case err == nil, errors.Is(err, jetstream.ErrMsgNotFound):
			lost = append(lost, id)
		default:
			return 0, err
		}
	}
	entries := v.markDamaged(whole, lost)
	n.Config.Log.Error("acknowledged events are missing from NATS: it was emptied, or is an older copy; the "+
		"matches that they belong to cannot be played on; start all servers again, to go on from what is left",
		"event", "journal-incomplete",
		"stream", natsd.MatchesStream, "missing", min(missing, entries), "matches", len(lost))
	return whole + 1, nil
}
