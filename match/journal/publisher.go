package journal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/journal/natsd"
)

// publishTimeout is how long a message is sent again for those who set no deadline.
const publishTimeout = 10 * time.Second

// wrongLastError is the server's refusal of a message whose subject has moved on.
type wrongLastError struct{ last uint64 }

func (w wrongLastError) Error() string {
	return "the last sequence is " + strconv.FormatUint(w.last, 10)
}

// noExpectedSeq stands for a message that goes to the end of its subject, wherever that is.
const noExpectedSeq = ^uint64(0)

// publisher makes messages and sees them acknowledged.
type publisher struct {
	conn *nats.Conn
	name string // of this run, so that message IDs are nobody else's
	n    atomic.Uint64
}

func newPublisher(conn *nats.Conn) *publisher {
	return &publisher{conn: conn, name: rand.Text()[:12]}
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
// server only fails to answer. The errors are wrongLastError, and those that wrap [match.ErrUnavailable].
func (p *publisher) publish(ctx context.Context, msg *nats.Msg) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	for {
		seq, err := p.send(ctx, msg)
		var wrong wrongLastError
		if err == nil || errors.As(err, &wrong) {
			return seq, err
		}
		if !natsd.IsTransient(err) || ctx.Err() != nil {
			return 0, natsd.Unavailable(err)
		}
		natsd.Wait(ctx, 50*time.Millisecond)
	}
}

// send sends a message once.
func (p *publisher) send(ctx context.Context, msg *nats.Msg) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, natsd.AnswerWithin)
	defer cancel()
	reply, err := p.conn.RequestMsgWithContext(ctx, msg)
	if err != nil {
		return 0, err
	}
	return acknowledgement(reply.Data)
}

// acknowledgement reads the server's answer to a message: its sequence.
func acknowledgement(answer []byte) (seq uint64, err error) {
	var ack struct {
		Error *jetstream.APIError `json:"error"`
		Seq   uint64              `json:"seq"`
	}
	if err := json.Unmarshal(answer, &ack); err != nil {
		return 0, fmt.Errorf("the server's answer: %w", err)
	}
	if ack.Error == nil {
		return ack.Seq, nil
	}
	switch ack.Error.ErrorCode {
	case natsd.CodeWrongLast:
		var w wrongLastError
		_, _ = fmt.Sscanf(ack.Error.Description, "wrong last sequence: %d", &w.last) // zero stands for an empty subject
		return 0, w
	case natsd.CodeWrongLastUntold:
		return 0, wrongLastError{last: noExpectedSeq}
	}
	return 0, ack.Error
}
