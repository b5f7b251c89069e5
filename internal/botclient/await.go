package botclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"notakto/sshapp/bot/botproto"
)

// EventTimeout limits the waits of [Expect], [Client.ExpectAny] and [Client.Count].
const EventTimeout = 15 * time.Second

var (
	// ErrClosed means that the session has ended.
	ErrClosed = errors.New("the connection was closed")
	// ErrTimeout means that no expected event arrived within EventTimeout.
	ErrTimeout = fmt.Errorf("no event for %v", EventTimeout)
)

// RefusedError means that an error event arrived instead of the expected one.
type RefusedError struct{ Event botproto.Error }

// Error implements error.
func (r *RefusedError) Error() string {
	return fmt.Sprintf("received %s: %s", r.Event.Code, r.Event.Message)
}

// Next returns the next event with one of the names and drops the events before. If names lacks "error", Next
// returns a [RefusedError] for an error event. Other errors wrap [ErrClosed] or the cause of ctx.
func (c *Client) Next(ctx context.Context, names ...string) (botproto.Event, error) {
	for {
		select {
		case event, open := <-c.events:
			if !open {
				return nil, ErrClosed
			}
			if slices.Contains(names, event.Name()) {
				return event, nil
			}
			if refusal, is := event.(botproto.Error); is {
				return nil, &RefusedError{refusal}
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("%w, awaiting %v", context.Cause(ctx), names)
		}
	}
}

// Await returns the next event of type E, with the errors of [Client.Next].
func Await[E botproto.Event](ctx context.Context, c *Client) (event E, err error) {
	next, err := c.Next(ctx, event.Name())
	if err != nil {
		return event, err
	}
	event, _ = next.(E)
	return event, nil
}

// Expect is [Await] with a limit of [EventTimeout].
func Expect[E botproto.Event](c *Client) (E, error) {
	ctx, cancel := withEventTimeout()
	defer cancel()
	return Await[E](ctx, c)
}

// ExpectAny is [Client.Next] with a limit of [EventTimeout].
func (c *Client) ExpectAny(names ...string) (botproto.Event, error) {
	ctx, cancel := withEventTimeout()
	defer cancel()
	return c.Next(ctx, names...)
}

func withEventTimeout() (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(context.Background(), EventTimeout, ErrTimeout)
}

// Count counts the events by name until the answer to the ping with number ping. The caller has sent the ping before.
// An error event counts as "error CODE". Answers to other pings count as well.
func (c *Client) Count(ping int) (map[string]int, error) {
	ctx, cancel := withEventTimeout()
	defer cancel()
	received, names := map[string]int{}, botproto.EventNames()
	for {
		event, err := c.Next(ctx, names...)
		if err != nil {
			return received, err
		}
		name := event.Name()
		switch event := event.(type) {
		case botproto.Pong:
			if event.N == json.Number(strconv.Itoa(ping)) {
				return received, nil
			}
		case botproto.Error:
			name += " " + string(event.Code)
		}
		received[name]++
	}
}
