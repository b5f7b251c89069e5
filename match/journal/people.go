package journal

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/journal/natsd"
)

// people is an [account.Log] on the stream PEOPLE, and a copy of that in memory. The sequence of an event is that of
// its message.
type people struct {
	node      *natsd.Node
	publisher *publisher

	mu          sync.Mutex
	events      []account.Event
	subscribers map[*func(account.Event)]struct{}
	unsure      map[string]bool // messages that this process has sent, by ID: whether they were delivered
	progress    condition       // changes with events
}

func newPeople(n *natsd.Node) *people {
	p := &people{node: n, subscribers: make(map[*func(account.Event)]struct{}), unsure: make(map[string]bool)}
	p.progress.mu = &p.mu
	return p
}

// Append implements [account.Log].
func (p *people) Append(ctx context.Context, e account.Event) (account.Event, error) {
	if err := ctx.Err(); err != nil {
		return account.Event{}, err
	}
	if e.Seq != p.end()+1 {
		return account.Event{}, account.Conflict(e.Seq)
	}
	body, err := account.Encode(e)
	if err == nil && e.Kind != account.SecretMade { // without the secret nothing can be shown
		err = p.node.Monitor.Writable()
	}
	if err != nil {
		return account.Event{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	msg := p.publisher.message(natsd.PeopleSubject, e.Seq-1, body)
	id := msg.Header.Get(jetstream.MsgIDHeader)
	p.expect(id)
	defer p.forget(id)
	for {
		_, err := p.publisher.publish(ctx, msg)
		switch {
		case err != nil && !errors.Is(err, errMovedOn):
			return account.Event{}, err
		case err == nil:
			err = p.wait(ctx, e.Seq)
		default:
			err = p.resolve(ctx, e.Seq)
		}
		switch stored, mine := p.at(e.Seq, id); {
		case mine: // whatever the answer was, it is in the log
			return stored, nil
		case err != nil:
			return account.Event{}, natsd.Unavailable(err)
		case stored.Seq > 0:
			return account.Event{}, account.Conflict(e.Seq)
		}
	}
}

// resolve waits until the event that came first has been delivered. The leader of a cluster also refuses for a message
// that it is about to store, which may fail: then no event has that sequence when resolve returns.
func (p *people) resolve(ctx context.Context, seq uint64) error {
	last, err := lastSeq(ctx, p.node.Streams.People, natsd.PeopleSubject)
	if err != nil || last >= seq {
		return errors.Join(err, p.wait(ctx, last))
	}
	natsd.Wait(ctx, 50*time.Millisecond)
	return ctx.Err()
}

// Subscribe implements [account.Log].
func (p *people) Subscribe(fn func(account.Event)) (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		fn(e)
	}
	p.subscribers[&fn] = struct{}{}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.subscribers, &fn)
	}
}

// deliver takes a message of PEOPLE.
func (p *people) deliver(m message) {
	e, err := account.Decode(m.body)
	if err != nil {
		e = account.Event{Kind: account.Unreadable}
		say := p.node.Config.Log.Error
		if errors.Is(err, match.ErrNewer) {
			say = p.node.Config.Log.Warn
		}
		say("accounts cannot be changed at this server: an entry cannot be read", "stream", natsd.PeopleStream,
			"sequence", m.seq, "error", err)
	}
	e.Seq, e.At = m.seq, m.at.Truncate(time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.seq <= uint64(len(p.events)) { // an outside NATS has lost messages
		return
	}
	p.events = append(p.events, e)
	if id := m.header.Get(jetstream.MsgIDHeader); id != "" {
		if _, sent := p.unsure[id]; sent {
			p.unsure[id] = true
		}
	}
	for fn := range p.subscribers {
		(*fn)(e)
	}
	p.progress.broadcast()
}

func (p *people) end() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return uint64(len(p.events))
}

// at returns the event with a sequence, the zero event if there is none, and whether a message of this process with an
// ID was delivered.
func (p *people) at(seq uint64, id string) (e account.Event, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if seq <= uint64(len(p.events)) {
		e = p.events[seq-1]
	}
	return e, p.unsure[id]
}

func (p *people) wait(ctx context.Context, seq uint64) error {
	return p.progress.wait(ctx, func() bool { return uint64(len(p.events)) >= seq })
}

func (p *people) expect(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unsure[id] = false
}

func (p *people) forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.unsure, id)
}

// restore puts all events into PEOPLE again at an outside NATS that has lost them: else the next start would draw
// another secret, and no player would be known any more. Several nodes may do this at once.
func (p *people) restore(ctx context.Context, end, missing uint64) (from uint64, err error) {
	p.mu.Lock()
	events := p.events[min(end, uint64(len(p.events))):]
	p.mu.Unlock()
	p.node.Config.Log.Error("what players decided about their accounts is missing from NATS, which was emptied or is "+
		"an older copy: this server puts it back",
		"event", "accounts-incomplete", "stream", natsd.PeopleStream, "missing", missing)
	for _, e := range events {
		body, err := account.Encode(e)
		if err != nil || e.Kind == account.Unreadable {
			return e.Seq, err
		}
		_, err = p.publisher.publish(ctx, p.publisher.message(natsd.PeopleSubject, e.Seq-1, body))
		if err != nil && !errors.Is(err, errMovedOn) {
			return 0, err
		}
	}
	return end + missing + 1, nil
}
