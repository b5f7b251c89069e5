package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/journal/natsd"
)

// publishTimeout is how long a request is repeated without an earlier deadline.
const publishTimeout = 10 * time.Second

// errMovedOn says that the server refused a message because its subject has a newer one, or may get one: a leader also
// refuses for a message that it is about to store, which may fail.
var errMovedOn = errors.New("the subject has moved on")

// noExpectedSeq is for a message that has no expected sequence.
const noExpectedSeq = ^uint64(0)

// publisher makes messages and publishes them.
type publisher struct {
	js   jetstream.JetStream
	name string // of this run, which makes message IDs unique
	n    atomic.Uint64
}

func newPublisher(js jetstream.JetStream) *publisher {
	return &publisher{js: js, name: rand.Text()[:12]}
}

// message makes a message that is stored only if last is the last sequence of its subject, and once however often it is
// sent.
func (p *publisher) message(subject string, last uint64, body []byte) *nats.Msg {
	msg := nats.NewMsg(subject)
	msg.Data = body
	msg.Header.Set(jetstream.MsgIDHeader, p.name+strconv.FormatUint(p.n.Add(1), 36))
	if last != noExpectedSeq {
		msg.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(last, 10))
	}
	return msg
}

// publish sends a message until the server answers, and returns its sequence. The errors are errMovedOn, and those that
// wrap [match.ErrUnavailable].
func (p *publisher) publish(ctx context.Context, msg *nats.Msg) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	err = persist(ctx, func(ctx context.Context) error {
		seq, err = p.send(ctx, msg)
		return err
	})
	return seq, err
}

// send sends a message once.
func (p *publisher) send(ctx context.Context, msg *nats.Msg) (seq uint64, err error) {
	ack, err := p.js.PublishMsg(ctx, msg, jetstream.WithRetryAttempts(0))
	var api *jetstream.APIError
	switch {
	case err == nil:
		return ack.Sequence, nil
	case errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant):
		return 0, errMovedOn
	}
	return 0, err
}

// lastSeq returns the sequence of the last message of a subject, zero if there is none.
func lastSeq(ctx context.Context, stream jetstream.Stream, subject string) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	err = persist(ctx, func(ctx context.Context) error {
		m, err := stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err == nil {
			seq = m.Sequence
		}
		return err
	})
	return seq, err
}

// persist repeats a request until the server answers. The errors are errMovedOn, and those that wrap
// [match.ErrUnavailable].
func persist(ctx context.Context, ask func(ctx context.Context) error) error {
	for {
		one, cancel := context.WithTimeout(ctx, natsd.AnswerWithin)
		err := ask(one)
		cancel()
		switch {
		case err == nil, errors.Is(err, errMovedOn):
			return err
		case !natsd.IsTransient(err) || ctx.Err() != nil:
			return natsd.Unavailable(err)
		}
		natsd.Wait(ctx, 50*time.Millisecond)
	}
}
