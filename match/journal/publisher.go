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

// publishTimeout is how long a message is sent again for those who set no deadline.
const publishTimeout = 10 * time.Second

// errMovedOn is the server's refusal of a message whose subject has moved on, or is about to: a leader also refuses for
// what it is about to record, which may come to nothing.
var errMovedOn = errors.New("the subject has moved on")

// noExpectedSeq stands for a message that goes to the end of its subject, wherever that is.
const noExpectedSeq = ^uint64(0)

// publisher makes messages and sees them acknowledged.
type publisher struct {
	js   jetstream.JetStream
	name string // of this run, so that message IDs are nobody else's
	n    atomic.Uint64
}

func newPublisher(js jetstream.JetStream) *publisher {
	return &publisher{js: js, name: rand.Text()[:12]}
}

// message makes a message that is recorded only if last is the last sequence of its subject, and only once however
// often it is sent.
func (p *publisher) message(subject string, last uint64, body []byte) *nats.Msg {
	msg := nats.NewMsg(subject)
	msg.Data = body
	msg.Header.Set(jetstream.MsgIDHeader, p.name+strconv.FormatUint(p.n.Add(1), 36))
	if last != noExpectedSeq {
		msg.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(last, 10))
	}
	return msg
}

// publish returns the sequence of a message once the server has acknowledged it. It is sent again for as long as the
// server only fails to answer. The errors are errMovedOn, and those that wrap [match.ErrUnavailable].
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

// persist asks the server until it answers. The errors are errMovedOn, and those that wrap [match.ErrUnavailable].
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
