package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

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
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
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

// wait returns after d, or when ctx has ended.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
