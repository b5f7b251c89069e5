package natsd

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// AnswerWithin is how long a request to the server may take before it is repeated.
	AnswerWithin = 2 * time.Second
	// RetryDelay is how long to wait before a retry.
	RetryDelay = 200 * time.Millisecond
)

// StreamInfo requests the state of a stream from its leader.
func StreamInfo(ctx context.Context, js jetstream.JetStream, name string) (*jetstream.StreamInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, AnswerWithin)
	defer cancel()
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return nil, err
	}
	return stream.CachedInfo(), nil
}

// Wait returns after d, or when ctx has ended.
func Wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
