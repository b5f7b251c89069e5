package botclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"notakto/sshapp/bot/botproto"
)

// EventTimeout limits the waits of [Expect] and [Client.ExpectAny].
const EventTimeout = 15 * time.Second

var (
	// ErrClosed means that the session has ended.
	ErrClosed = errors.New("the connection was closed")
	// ErrTimeout means that no expected event arrived within EventTimeout.
	ErrTimeout = fmt.Errorf("no event for %v", EventTimeout)
)

// Next returns the next event with one of the names and drops the events before. If names lacks "error", an error event
// is an [ErrRefused]. Other errors wrap [ErrClosed] or the cause of ctx.
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
				return nil, fmt.Errorf("%w: %s: %s", ErrRefused, refusal.Code, refusal.Message)
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

// Ask sends a request and returns the next event of type E, with the errors of [Expect].
func Ask[E botproto.Event](c *Client, r botproto.Request) (event E, err error) {
	if err := c.Send(r); err != nil {
		return event, err
	}
	return Expect[E](c)
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
