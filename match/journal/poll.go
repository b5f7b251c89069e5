package journal

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/journal/natsd"
)

const pollMax = 1000

// poll tells what the leader of the stream has beyond what was told, and returns how many messages that were. After a
// partition it is how news comes at once: a new consumer has to wait for the election of the cluster's leader, and one
// that is at a server which is behind delivers nothing until that server has caught up. It asks for one message after
// another, so it leaves more than pollMax to a consumer.
func (f *follower) poll(ctx context.Context) (n int, err error) {
	for n < pollMax {
		m, err := f.ask(ctx)
		var api *jetstream.APIError
		if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeMessageNotFound {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		f.deliver(m)
		n++
	}
	return n, nil
}

// catchUp is poll, once the stream has been mended.
func (f *follower) catchUp(ctx context.Context) (n int, err error) {
	if f.mend != nil {
		f.next = f.mend(ctx, f.next)
	}
	return f.poll(ctx)
}

// ask asks the leader of the stream for the next message that was not told.
func (f *follower) ask(ctx context.Context) (message, error) {
	ctx, cancel := context.WithTimeout(ctx, heartbeat)
	defer cancel()
	return getMessage(ctx, f.conn, f.stream, map[string]any{"seq": f.next, "next_by_subj": ">"})
}

// getMessage asks the leader of a stream for a message.
func getMessage(ctx context.Context, conn *nats.Conn, stream string, which map[string]any) (message, error) {
	ctx, cancel := context.WithTimeout(ctx, natsd.AnswerWithin)
	defer cancel()
	request, err := json.Marshal(which)
	if err != nil {
		return message{}, err
	}
	reply, err := conn.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+stream, request)
	if err != nil {
		return message{}, err
	}
	var answer struct {
		Error   *jetstream.APIError `json:"error"`
		Message struct {
			Subject string    `json:"subject"`
			Seq     uint64    `json:"seq"`
			Header  []byte    `json:"hdrs"`
			Data    []byte    `json:"data"`
			Time    time.Time `json:"time"`
		} `json:"message"`
	}
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		return message{}, err
	}
	if answer.Error != nil {
		return message{}, answer.Error
	}
	m := answer.Message
	header := nats.Header{}
	if len(m.Header) > 0 {
		if header, err = nats.DecodeHeadersMsg(m.Header); err != nil {
			return message{}, err
		}
	}
	return message{subject: m.Subject, seq: m.Seq, at: m.Time, header: header, body: m.Data}, nil
}

// isHeartbeat reports whether a consumer says only that it has nothing to tell.
func isHeartbeat(msg *nats.Msg) bool { return msg.Header.Get("Status") == "100" && msg.Reply == "" }
