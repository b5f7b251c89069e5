//go:build attack

package main

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/sshapp/bot/botproto"
)

func neighbourAttacks() []attack {
	return []attack{
		{
			name: "neighbour-sessions", memory: 30, fair: true, run: (*enemy).takeSessions,
			holds: "at the address of 100 idle bots half of the neighbour's sessions begin",
		},
		{
			name: "neighbour-codes", memory: 30, fair: true, run: (*enemy).takeGuesses,
			holds: "at the address of a bot that says a wrong code every 50 ms, half of the neighbour's right codes are taken",
		},
		{
			name: "neighbour-begins", memory: 60, fair: true, run: (*enemy).takeMatches,
			flags: []string{"--max-match-rate", "240"}, // more than the honest players start
			holds: "at the address of bots that begin matches without end, half of the neighbour's matches begin",
		},
	}
}

// neighbour tries something at the attacker's address, as tryOut does. Half of the tries must succeed.
func (e *enemy) neighbour(attacked context.Context, try func(*botclient.Client) error) {
	e.tryOut(attacked, "neighbour", 50, func(int) net.IP { return source(0) }, try)
}

// tryOut makes a new player try something every 300 ms until the attack is over. A share of the tries, in percent, must
// succeed.
func (e *enemy) tryOut(
	attacked context.Context, who string, share int, from func(n int) net.IP, try func(*botclient.Client) error,
) {
	const pause, soon = 300 * time.Millisecond, time.Second
	<-time.After(soon) // the attacker starts first
	all, in := 0, 0
	var failed error
	for ; attacked.Err() == nil; all++ {
		if err := e.once(from(all), who, 100_000+all, try); err != nil {
			failed = err
		} else {
			in++
		}
		<-time.After(pause)
	}
	e.figure("the %s succeeds in %d of %d tries", who, in, all)
	if 100*in < share*all || all == 0 {
		e.fault("the %s succeeds in %d of %d tries: %v", who, in, all, failed)
	}
}

// once logs a bot in; the try has the time limit of a login.
func (e *enemy) once(from net.IP, name string, n int, try func(*botclient.Client) error) error {
	ctx, cancel := context.WithTimeout(e, e.limit())
	defer cancel()
	bot, err := players.NewBot(ctx, from, e.address, name, key(n))
	if err != nil {
		return err
	}
	defer bot.Close()
	return try(bot)
}

// takeSessions opens all sessions that an address may have, and leaves them idle.
func (e *enemy) takeSessions() error {
	const connections, each = 13, 8
	attacked, over := context.WithTimeout(e, e.attackFor(5))
	defer over()
	var taken atomic.Int64
	for i := range connections {
		client, err := e.politeFrom(0, i)
		if err != nil {
			return err
		}
		defer func() { _ = client.Close() }()
		for range each {
			if shell, err := botclient.Start(client, "", "bot"); err == nil {
				taken.Add(1)
				go discard(shell)
			}
		}
	}
	e.neighbour(attacked, func(*botclient.Client) error { return nil })
	e.figure("%d sessions taken", taken.Load())
	return nil
}

// takeGuesses tries wrong codes, while the neighbour joins private tables of a host elsewhere.
func (e *enemy) takeGuesses() error {
	const pause = 50 * time.Millisecond
	attacked, over := context.WithTimeout(e, e.attackFor(5))
	defer over()
	guesser, err := players.NewBot(e, source(0), e.address, "mallory", key(0))
	if err != nil {
		return err
	}
	defer guesser.Close()
	go guesser.Discard()
	go func() {
		for n := 0; attacked.Err() == nil; n++ {
			if guesser.Send(botproto.Request{Do: botproto.DoJoin, Code: codeNumber(n)}) != nil {
				return
			}
			<-time.After(pause)
		}
	}()
	host, err := players.NewBot(e, source(99), e.address, "host", key(99))
	if err != nil {
		return err
	}
	defer host.Close()
	e.neighbour(attacked, func(bot *botclient.Client) error {
		if err := host.Send(botproto.Request{Do: botproto.DoCreate, Variant: tableGame}); err != nil {
			return err
		}
		table, err := botclient.Expect[botproto.Table](host)
		if err != nil {
			return err
		}
		err = errors.Join(bot.Send(botproto.Request{Do: botproto.DoJoin, Code: table.Code}), expect[botproto.Match](bot))
		left := host.Send(botproto.Request{Do: botproto.DoLeave, Match: table.Match})
		return errors.Join(err, left, expect[botproto.End](host))
	})
	return nil
}

// expect waits for an event of a type.
func expect[E botproto.Event](bot *botclient.Client) error {
	_, err := botclient.Expect[E](bot)
	return err
}

// takeMatches starts matches and resigns them, from the start beyond an address's limit, while the neighbour starts one
// from time to time.
func (e *enemy) takeMatches() error {
	const bots = 10
	attacked, over := context.WithTimeout(e, e.attackFor(6))
	defer over()
	var begun atomic.Int64
	for i := range bots {
		bot, err := players.NewBot(e, source(0), e.address, "mallory", key(i))
		if err != nil {
			return err
		}
		defer bot.Close()
		go func() {
			for attacked.Err() == nil && !errors.Is(beginAndResign(bot), errEnded) {
				begun.Add(1)
			}
		}()
	}
	e.neighbour(attacked, beginAndResign)
	e.figure("%d matches asked for", begun.Load())
	return nil
}

var errEnded = errors.New("the session has ended")

// beginAndResign resigns a match against the computer before its first move.
func beginAndResign(bot *botclient.Client) error {
	if bot.Send(botproto.Request{Do: botproto.DoComputer, Variant: "notakto/1", Level: "random", Seat: 1}) != nil {
		return errEnded
	}
	received, err := botclient.Expect[botproto.Match](bot)
	if err != nil {
		return err
	}
	return errors.Join(bot.Send(botproto.Request{Do: botproto.DoResign, Match: received.Match}), expect[botproto.End](bot))
}
