//go:build attack

package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/sshapp/bot/botproto"
)

// opponent is an honest bot at the same table as an attacker who plays on the full screen.
type opponent struct {
	*botclient.Client
	client *ssh.Client // the attacker's
	shell  ssh.Channel
}

// sitOpposite makes a bot open a private table, and the attacker join it. Of the attacker's screen only the first byte
// is read.
func (e *enemy) sitOpposite(n int) (o opponent, err error) {
	if o.Client, err = players.NewBot(e, source(n), e.address, "host", key(500+n)); err != nil {
		return o, err
	}
	defer func() {
		if err != nil {
			o.Close()
		}
	}()
	code, err := table(o.Client)
	if err != nil {
		return o, err
	}
	if o.client, err = e.polite(n); err != nil {
		return o, err
	}
	if o.shell, err = botclient.Start(o.client, "xterm-256color", "join "+string(code)); err != nil {
		return o, err
	}
	if _, err = o.shell.Read(make([]byte, 1)); err != nil { // has joined
		return o, err
	}
	_, err = botclient.Expect[botproto.Match](o.Client)
	return o, err
}

// pings returns how long the server takes to answer the opponent, until ctx ends.
func (o opponent) pings(ctx context.Context) (took players.Times, err error) {
	const pause = 20 * time.Millisecond
	for n := 1; ctx.Err() == nil; n++ {
		begun := time.Now()
		if err := errors.Join(o.Send(botproto.Ping(n)), o.pong(n)); err != nil {
			return took, err
		}
		took = append(took, time.Since(begun))
		<-time.After(pause)
	}
	slices.Sort(took)
	return took, nil
}

func (o opponent) pong(n int) error {
	_, err := o.Count(n)
	return err
}
