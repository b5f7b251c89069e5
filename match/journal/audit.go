package journal

import (
	"context"
	"errors"
	"sort"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/journal/natsd"
)

// Audit is what administrators have done: the stream AUDIT, from which nothing is removed before its time. Its methods
// may be called from any goroutine.
type Audit struct {
	node      *natsd.Node
	clock     clock
	publisher *publisher
}

// NewAudit returns the audit of an open store.
func NewAudit(s *Store) *Audit { return &Audit{s.node, s.clock, s.people.publisher} }

// Append stores a record of a command. The name of the command is words of small letters. The errors wrap
// [match.ErrUnavailable].
func (a *Audit) Append(ctx context.Context, command string, record []byte) error {
	if err := a.node.Monitor.Writable(); err != nil {
		return err
	}
	subject := natsd.AuditSubject + strings.ReplaceAll(command, " ", "-")
	_, err := a.publisher.publish(ctx, a.publisher.message(subject, noExpectedSeq, record))
	return err
}

// Read calls fn with the records since a time, the oldest first, of all servers; of more than most with the newest. It
// ends when fn fails.
func (a *Audit) Read(
	ctx context.Context, since time.Time, most int, fn func(at time.Time, record []byte) error,
) error {
	info, err := natsd.StreamInfo(ctx, a.node.JetStream, natsd.AuditStream)
	if err != nil {
		return natsd.Unavailable(err)
	}
	first, end := max(info.State.FirstSeq, 1), info.State.LastSeq+1
	if n := end - first; n > uint64(most) {
		first = end - uint64(most)
	}
	// Records are in the order of their times. One that is gone stands for the next.
	first += uint64(sort.Search(int(end-first), func(i int) bool {
		m, failed := a.get(ctx, first+uint64(i))
		err = errors.Join(err, failed)
		return failed != nil || m == nil || !m.Time.Before(since)
	}))
	for err == nil && first < end {
		var m *jetstream.RawStreamMsg
		if m, err = a.get(ctx, first); err != nil || m == nil {
			break
		}
		first = m.Sequence + 1
		err = fn(a.clock.past(m.Time), m.Data)
	}
	return err
}

// get returns the record with a sequence, or the next one; nil if there is none.
func (a *Audit) get(ctx context.Context, seq uint64) (m *jetstream.RawStreamMsg, err error) {
	err = persist(ctx, func(ctx context.Context) error {
		m, err = a.node.Streams.Audit.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(">"))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			m, err = nil, nil
		}
		return err
	})
	return m, err
}
