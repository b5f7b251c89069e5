//go:build attack

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

func playAttacks() []attack {
	return []attack{
		{
			name: "fast-play", memory: 80, visitors: elsewhere, fair: true, runs: longOnly,
			run:   func(e *enemy) error { return e.playFast(1) },
			holds: "100 bots of one address that play each other as fast as they can delay no other player's moves",
		},
		{
			name: "wide-play", memory: 155, visitors: elsewhere, fair: true, runs: onDemand,
			run:   func(e *enemy) error { return e.playFast(5) },
			holds: "100 bots of each of five addresses that play each other as fast as they can delay no other player's moves",
		},
		{
			name: "hostage", memory: 20, fair: true, runs: longOnly, run: (*enemy).holdHostage,
			holds: "players who meet a silent opponent in the queue lose nothing, and meet each other within three tries",
		},
	}
}

// playFast makes 50 pairs of bots of each of some addresses play each other at two tables without a pause.
func (e *enemy) playFast(addresses int) error {
	const each = 50
	pairs := each * addresses
	attacked, over := context.WithTimeout(e, e.attackFor(6))
	defer over()
	var moves, failed atomic.Int64
	e.many(pairs, pairs, func(i int) {
		var bots [2]*botclient.Client
		for k := range bots {
			bot, err := players.NewBot(e, source(i/each), e.address, "mallory", key(2*i+k))
			if err != nil {
				failed.Add(1)
				return
			}
			defer bot.Close()
			bots[k] = bot
		}
		for attacked.Err() == nil {
			if err := playOut(attacked, bots, &moves); err != nil {
				failed.Add(1)
				<-time.After(pollEvery)
			}
		}
	})
	e.figure("%d moves, %d matches failed", moves.Load(), failed.Load())
	return nil
}

// playOut repeatedly plays the first legal move, at a table of the first bot, until the match is over.
func playOut(ctx context.Context, bots [2]*botclient.Client, moves *atomic.Int64) error {
	code, err := table(bots[0])
	if err != nil {
		return err
	}
	if err := bots[1].Send(botproto.Request{Do: botproto.DoJoin, Code: code}); err != nil {
		return err
	}
	received, err := botclient.Expect[botproto.Match](bots[1])
	if err != nil {
		return err
	}
	if received.Seat == rules.First {
		bots[0], bots[1] = bots[1], bots[0]
	}
	variant, err := rules.ParseVariant(tableGame)
	if err != nil {
		return err
	}
	for at := variant.Start(); ctx.Err() == nil && !at.Outcome().Over(); {
		m := at.Legal()[0]
		mover := bots[at.Turn()-1]
		move := botproto.Request{Do: botproto.DoMove, Match: received.Match, Move: variant.FormatMove(m)}
		if err := mover.Send(move); err != nil {
			return err
		}
		for _, bot := range bots {
			if err := expect[botproto.Move](bot); err != nil {
				return err
			}
		}
		moves.Add(1)
		if at, err = at.Play(m); err != nil {
			return err
		}
	}
	return nil
}

// holdHostage makes a guest who never moves wait in the queue, and another one from the same address as soon as that
// one is paired. An honest player meets one of them, and so may a second one, until they meet each other.
func (e *enemy) holdHostage() error {
	const most = 45 * time.Second
	held, free := context.WithCancel(e)
	defer free()
	var matches atomic.Int64
	go func() {
		for held.Err() == nil {
			if err := e.lieInWait(held); err != nil {
				<-time.After(pollEvery)
				continue
			}
			matches.Add(1)
		}
	}()
	<-time.After(time.Second)
	begun := time.Now()
	names := []string{"victim", "friend"}
	e.many(len(names), len(names), func(i int) {
		<-time.After(time.Duration(i) * time.Second) // the first one is alone
		bot, err := players.NewBot(e, net.IPv4(127, 0, 5, byte(1+i)), e.address, names[i], key(i))
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer bot.Close()
		if err := seekOut(bot, names[1-i], most); err != nil {
			e.fault("the %s after %.0f s: %v", names[i], time.Since(begun).Seconds(), err)
		}
	})
	took := time.Since(begun)
	e.figure("two honest players meet after %.0f s, %d matches begun by the attacker", took.Seconds(), matches.Load())
	return nil
}

// lieInWait waits in the queue as a new guest until a match starts, in which the guest stays without a move.
func (e *enemy) lieInWait(held context.Context) error {
	bot, err := players.NewBot(e, source(0), e.address, "mallory", nil)
	if err != nil {
		return err
	}
	sent := bot.Send(botproto.Request{Do: botproto.DoSeek, Variant: tableGame})
	if err := errors.Join(sent, expect[botproto.Seeking](bot)); err != nil {
		bot.Close()
		return err
	}
	ticker := time.NewTicker(time.Second)
	go func() {
		defer ticker.Stop()
		for held.Err() == nil && bot.Send(botproto.Request{Do: botproto.DoPing}) == nil {
			<-ticker.C
		}
		bot.Close()
	}() // reports that it waits
	if _, err := botclient.Await[botproto.Match](held, bot); err != nil {
		return err
	}
	go bot.Discard()
	return nil
}

// seekOut makes a player seek until the opponent has a name. Any other match must end within a time, and not be lost,
// though the player moves at most once.
func seekOut(bot *botclient.Client, name string, most time.Duration) error {
	const matches = 3
	for range matches {
		if err := bot.Send(botproto.Request{Do: botproto.DoSeek, Variant: tableGame}); err != nil {
			return err
		}
		ctx, stop := context.WithTimeout(context.Background(), most)
		received, err := botclient.Await[botproto.Match](ctx, bot)
		stop()
		if err != nil {
			return err
		}
		for _, player := range received.Players {
			if player.Name == name {
				return nil
			}
		}
		if err := endure(bot, received, most); err != nil {
			return err
		}
	}
	return fmt.Errorf("met others only, %d times", matches)
}

// endure moves once in a match, if it is the player's turn, and waits for the end, which must not be a loss.
func endure(bot *botclient.Client, match botproto.Match, most time.Duration) error {
	if match.Seat == rules.First {
		if err := bot.Send(botproto.Request{Do: botproto.DoMove, Match: match.Match, Move: "A5"}); err != nil {
			return err
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), most)
	defer stop()
	end, err := botclient.Await[botproto.End](ctx, bot)
	switch {
	case err != nil:
		return fmt.Errorf("the match goes on: %w", err)
	case end.Winner.Valid() && end.Winner != match.Seat:
		return fmt.Errorf("the player lost by %s", end.Reason)
	default:
		return nil
	}
}
