//go:build attack

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

func botAttacks() []attack {
	return []attack{
		{name: "same-key", memory: 12, run: (*enemy).sameKey,
			holds: "one key has 10 sessions at once, never plays itself, and can come back"},
		{name: "bot-lines", memory: 10, run: (*enemy).botLines,
			holds: "a line sent again, too late or for another's match does nothing"},
		{name: "restless", memory: 16, run: (*enemy).restless,
			holds: "who comes and goes, looks and asks without end holds up no other player"},
		{name: "bot-junk", memory: 10, run: (*enemy).botJunk,
			holds: "lines that make no sense end the session, or are read slowly"},
	}
}

// sameKey logs in with one key a hundred times at once, seeking an opponent each time.
func (e *enemy) sameKey() error {
	const clients, most = 100, 10
	var in, paired atomic.Int64
	stay := make(chan struct{})
	time.AfterFunc(time.Duration(e.pick(2, 10))*time.Second, func() { close(stay) })
	e.many(clients, clients, func(i int) {
		bot, err := players.NewBot(e, source(i/5), e.address, "mallory", key(0))
		if err != nil {
			return // refused
		}
		defer bot.Close()
		in.Add(1)
		_ = bot.Send(botproto.Request{Do: botproto.DoSeek, Variant: "notakto/2"})
		go func() {
			if _, err := botclient.Expect[botproto.Match](bot); err == nil {
				paired.Add(1)
			}
		}()
		<-stay
	})
	e.figure("%d of %d got in", in.Load(), clients)
	if in.Load() > most || in.Load() == 0 {
		e.fault("%d sessions of one key at once", in.Load())
	}
	if paired.Load() > 0 {
		e.fault("a player was paired with itself")
	}
	bot, err := players.NewBot(e, source(0), e.address, "mallory", key(0))
	if err != nil {
		return fmt.Errorf("come back: %w", err)
	}
	bot.Close()
	return nil
}

// botLines plays matches one after the other, repeating each line, also in the wrong order, and sends moves for the
// honest players' match.
func (e *enemy) botLines() error {
	matches, again := e.pick(1, 150), e.pick(50, 200)
	for n := range matches {
		if err := e.repeatLines(again); err != nil {
			return fmt.Errorf("match %d: %w", n+1, err)
		}
	}
	e.figure("%d lines a move, %d matches of %d moves, each told once", 3*again, matches, len(repeated()))
	return nil
}

// repeated returns the moves of a match in which every line is repeated.
func repeated() []string { return []string{"A1", "A2", "A4", "B1", "B2", "B4"} }

// repeatLines plays one match, whose lines both players and a stranger send again times.
func (e *enemy) repeatLines(again int) error {
	bots, id, err := e.sitDown()
	if err != nil {
		return err
	}
	defer bots[0].Close()
	defer bots[1].Close()
	stranger, err := players.NewBot(e, source(9), e.address, "mallory", key(9))
	if err != nil {
		return err
	}
	defer stranger.Close()
	moves := repeated()
	all, received := [3]*botclient.Client{bots[0], bots[1], stranger}, [3]int{}
	for i, move := range moves {
		line := botproto.Request{Do: botproto.DoMove, Match: id, Move: move}
		for range again {
			for _, bot := range []*botclient.Client{bots[(i+1)%2], stranger, bots[i%2]} {
				if err := bot.Send(line); err != nil {
					return fmt.Errorf("ply %d: %w", i+1, err)
				}
			}
		}
		if err := e.listen(all, i, &received); err != nil {
			return fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	for i, bot := range bots {
		for ; received[i] < len(moves); received[i]++ { // the opponent's moves may arrive after the answer to the own line
			if _, err := botclient.Expect[botproto.Move](bot); err != nil {
				return fmt.Errorf("move %d of %d: %w", received[i]+1, len(moves), err)
			}
		}
	}
	if err := e.listen(all, len(moves), &received); err != nil {
		return err
	}
	if want := [3]int{len(moves), len(moves), 0}; received != want {
		e.fault("%d moves were told to the players and a stranger %v times", len(moves), received)
	}
	return resign(bots, id)
}

// resign ends a match, since a player may have few at once.
func resign(bots [2]*botclient.Client, id match.ID) error {
	if err := bots[0].Send(botproto.Request{Do: botproto.DoResign, Match: id}); err != nil {
		return err
	}
	for _, bot := range bots {
		if _, err := botclient.Expect[botproto.End](bot); err != nil {
			return fmt.Errorf("resign: %w", err)
		}
	}
	return nil
}

// listen reads until each has an answer to the last line, and counts the moves.
func (e *enemy) listen(bots [3]*botclient.Client, n int, moves *[3]int) error {
	for _, bot := range bots {
		if err := bot.Send(botproto.Ping(n)); err != nil {
			return err
		}
	}
	for i, bot := range bots {
		received, err := bot.Count(n)
		if err != nil {
			return err
		}
		if received["end"] > 0 {
			e.fault("an end was told to bot %d: %v", i, received)
		}
		moves[i] += received["move"]
	}
	return nil
}

// sitDown returns two bots at a table, the first to move first.
func (e *enemy) sitDown() (bots [2]*botclient.Client, id match.ID, err error) {
	for i := range bots {
		if bots[i], err = players.NewBot(e, source(i), e.address, "mallory", key(i)); err != nil {
			return bots, "", err
		}
	}
	code, err := table(bots[0])
	if err != nil {
		return bots, "", err
	}
	if err := bots[1].Send(botproto.Request{Do: botproto.DoJoin, Code: code}); err != nil {
		return bots, "", err
	}
	if _, err := botclient.Expect[botproto.Match](bots[0]); err != nil {
		return bots, "", err
	}
	received, err := botclient.Expect[botproto.Match](bots[1])
	if received.Seat == rules.First {
		bots[0], bots[1] = bots[1], bots[0]
	}
	return bots, received.Match, err
}

// botJunk sends lines that are too long, too deep, too many or empty.
func (e *enemy) botJunk() error {
	lines := map[string]string{
		"no end":   strings.Repeat("x", 4<<20),
		"deep":     strings.Repeat(strings.Repeat("[", 4000)+"\n", 50),
		"deeper":   strings.Repeat(strings.Repeat(`{"do":`, 600)+"\n", 50),
		"empty":    strings.Repeat("\n", 100_000),
		"zeros":    strings.Repeat("\x00", 1<<20),
		"unknown":  strings.Repeat(`{"do":"fly"}`+"\n", 1000),
		"twice":    strings.Repeat(`{"do":"move","do":"ping"}`+"\n", 1000),
		"numbers":  strings.Repeat(`{"do":"computer","seat":1e999}`+"\n", 1000),
		"variants": strings.Repeat(`{"do":"seek","variant":"notakto/`+strings.Repeat("9", 3000)+`"}`+"\n", 100),
		"ids":      strings.Repeat(`{"do":"move","match":"../../\u001b[2J","move":"A1"}`+"\n", 20_000),
		"pings":    strings.Repeat(`{"do":"ping","n":1}`+"\n", 20_000),
	}
	n := 0
	var slow slowest
	for _, text := range lines {
		n++
		bot, err := players.NewBot(e, source(n), e.address, "mallory", key(n))
		if err != nil {
			return err
		}
		begun := time.Now()
		sent := make(chan error, 1)
		go func() { sent <- bot.SendRaw(text) }()
		select {
		case <-sent:
		case <-time.After(time.Duration(e.pick(1, 5)) * time.Second): // it is slowed down, which is as good
		}
		slow.took("the longest", time.Since(begun))
		bot.Close()
	}
	e.figure("%d kinds, %v", len(lines), &slow)
	return nil
}

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
