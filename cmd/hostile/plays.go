//go:build hostile

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"notakto/cmd/hostile/honest"
	"notakto/rules"
)

func playAttacks() []attack {
	return []attack{
		{
			name: "fast-play", memory: 80, visitors: elsewhere, fair: true, runs: onDemand, run: (*enemy).playFast,
			holds: "100 bots of one address that play each other as fast as they can delay nobody's moves",
		},
		{
			name: "hostage", memory: 20, fair: true, runs: onDemand, run: (*enemy).holdHostage,
			holds: "a player who meets the same silent opponent in the queue loses nothing and then meets another",
		},
	}
}

// playFast has pairs of bots play each other at two tables without a pause.
func (e *enemy) playFast() error {
	const pairs = 50
	attacked, over := context.WithTimeout(e, e.attackFor(6))
	defer over()
	var moves, failed atomic.Int64
	e.many(pairs, pairs, func(i int) {
		var bots [2]*honest.Bot
		for k := range bots {
			bot, err := honest.NewBot(e, source(0), e.address, "mallory", key(2*i+k))
			if err != nil {
				failed.Add(1)
				return
			}
			defer bot.Leave()
			bots[k] = bot
		}
		for attacked.Err() == nil {
			if err := playOut(attacked, bots, &moves); err != nil {
				failed.Add(1)
				<-time.After(look)
			}
		}
	})
	e.figure("%d moves, %d matches failed", moves.Load(), failed.Load())
	return nil
}

// playOut plays the first legal move again and again, at a table of the first bot's, until the match is over.
func playOut(ctx context.Context, bots [2]*honest.Bot, moves *atomic.Int64) error {
	code, err := table(bots[0])
	if err != nil {
		return err
	}
	if err := bots[1].Say(honest.Line{Do: "join", Code: code}); err != nil {
		return err
	}
	told, err := bots[1].Hear("match")
	if err != nil {
		return err
	}
	if told.Seat == 1 {
		bots[0], bots[1] = bots[1], bots[0]
	}
	variant, err := rules.ParseVariant(tableGame)
	if err != nil {
		return err
	}
	for at := variant.Start(); ctx.Err() == nil && !at.Outcome().Over(); {
		m := at.Legal()[0]
		mover := bots[at.Turn()-1]
		if err := mover.Say(honest.Line{Do: "move", Match: told.Match, Move: variant.FormatMove(m)}); err != nil {
			return err
		}
		for _, bot := range bots {
			if err := hear(bot, "move"); err != nil {
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

// holdHostage has a guest wait in the queue who never moves, and another one from the same address as soon as that
// one is paired. An honest player meets one of them, and then looks for another opponent.
func (e *enemy) holdHostage() error {
	const most = 45 * time.Second
	held, free := context.WithCancel(e)
	defer free()
	var matches atomic.Int64
	go func() {
		for held.Err() == nil {
			if err := e.lieInWait(held); err != nil {
				<-time.After(look)
				continue
			}
			matches.Add(1)
		}
	}()
	<-time.After(time.Second)
	victim, err := honest.NewBot(e, net.IPv4(127, 0, 5, 1), e.address, "victim", key(1))
	if err != nil {
		return err
	}
	defer victim.Leave()
	begun := time.Now()
	if err := e.endure(victim, most); err != nil {
		e.fault("held for %v: %v", time.Since(begun).Round(time.Second), err)
	}
	e.figure("held for %.0f s", time.Since(begun).Seconds())
	friend, err := honest.NewBot(e, net.IPv4(127, 0, 5, 2), e.address, "friend", key(2))
	if err != nil {
		return err
	}
	defer friend.Leave()
	if err := meet(victim, friend); err != nil {
		e.fault("afterwards: %v", err)
	}
	e.figure("%d matches begun by the attacker", matches.Load())
	return nil
}

// lieInWait waits in the queue as a new guest until a match begins, in which the guest stays without a move.
func (e *enemy) lieInWait(held context.Context) error {
	bot, err := honest.NewBot(e, source(0), e.address, "mallory", nil)
	if err != nil {
		return err
	}
	if err := errors.Join(bot.Say(honest.Line{Do: "seek", Variant: tableGame}), hear(bot, "seeking")); err != nil {
		bot.Leave()
		return err
	}
	ticker := time.NewTicker(time.Second)
	go func() {
		defer ticker.Stop()
		for held.Err() == nil && bot.Say(honest.Line{Do: "ping"}) == nil {
			<-ticker.C
		}
		bot.Leave()
	}() // says that it is there
	if _, err := bot.Await(held, "match"); err != nil {
		return err
	}
	go bot.Discard()
	return nil
}

// endure has a player seek, move once if it is the player's turn, and wait for the end of the match, which must not
// be a loss.
func (e *enemy) endure(victim *honest.Bot, most time.Duration) error {
	if err := victim.Say(honest.Line{Do: "seek", Variant: tableGame}); err != nil {
		return err
	}
	told, err := victim.Hear("match")
	if err != nil {
		return err
	}
	if told.Seat == 1 {
		if err := victim.Say(honest.Line{Do: "move", Match: told.Match, Move: "A5"}); err != nil {
			return err
		}
	}
	ended, stop := context.WithTimeout(e, most)
	defer stop()
	end, err := victim.Await(ended, "end")
	switch {
	case err != nil:
		return fmt.Errorf("the match goes on: %w", err)
	case end.Winner != 0 && end.Winner != told.Seat:
		return fmt.Errorf("the player lost by %s", end.Reason)
	default:
		return nil
	}
}

// meet has both seek, who must meet each other.
func meet(victim, friend *honest.Bot) error {
	for _, bot := range []*honest.Bot{victim, friend} {
		if err := bot.Say(honest.Line{Do: "seek", Variant: tableGame}); err != nil {
			return err
		}
	}
	told, err := victim.Hear("match")
	if err != nil {
		return err
	}
	for _, player := range told.Players {
		if player.Name == "friend" {
			return nil
		}
	}
	return fmt.Errorf("the player met %v", told.Players)
}
