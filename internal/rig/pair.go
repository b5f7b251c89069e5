package rig

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"notakto/internal/botclient"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// Pair has two bots that play each other. The bots take turns at being the host of a private table.
type Pair struct {
	*Record
	Variant string        // of the matches, notakto/3 at first
	Pause   time.Duration // of the bots after a move
	Moves   atomic.Int64  // that both bots have received

	bots    [2]*botclient.Client
	rng     *rand.Rand
	inQueue bool // the bots seek each other
}

// Pair logs in two bots. Number n, a different one for each pair, selects the keys and random moves. The user and the
// key of c are not used.
func (c Client) Pair(ctx context.Context, n int) (*Pair, error) {
	p := &Pair{
		Record: &Record{limit: answerLimit}, Variant: "notakto/3", rng: rand.New(rand.NewPCG(1, uint64(n))),
	}
	for i := range p.bots {
		c.User, c.Key = [...]string{"alice", "bob"}[i], Key(pairKeys+2*n+i)
		bot, err := c.Bot(ctx)
		if err != nil {
			p.Leave()
			return nil, err
		}
		p.bots[i] = bot
	}
	return p, nil
}

// Leave disconnects the bots.
func (p *Pair) Leave() {
	for _, bot := range p.bots {
		if bot != nil {
			bot.Close()
		}
	}
}

// Run plays until ctx ends or an error occurs. The error is recorded as a fault.
func (p *Pair) Run(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if _, err := p.Play(ctx, n); err != nil && ctx.Err() == nil {
			p.fault("honest match %d: %v", n, err)
			return
		}
	}
}

// Play plays match n to its end, or until ctx ends, and compares the received events with the rules.
func (p *Pair) Play(ctx context.Context, n int) (match.ID, error) {
	id, seats, err := p.sitDown(p.bots[n%2], p.bots[1-n%2])
	if err != nil {
		return "", err
	}
	variant, err := rules.ParseVariant(p.Variant)
	if err != nil {
		return "", err
	}
	for at := variant.Start(); ctx.Err() == nil; {
		if at, err = p.ply(id, seats, at); err != nil || at.Outcome().IsOver() {
			return id, err
		}
		if err := match.Sleep(ctx, p.Pause); err != nil {
			return id, err
		}
	}
	return id, ctx.Err()
}

// sitDown makes the host open a private table and the guest join, or both seek, and records the time. It waits until
// both have received the match, because after the first move the match event would include that move. seats has the
// bots by seat, 1 and 2.
func (p *Pair) sitDown(host, guest *botclient.Client) (id match.ID, seats [3]*botclient.Client, err error) {
	p.begin()
	first, second := botproto.Request{Do: botproto.DoCreate, Variant: p.Variant}, botproto.Request{Do: botproto.DoJoin}
	if p.inQueue {
		first.Do = botproto.DoSeek
		second = first
		err = host.Send(first)
	} else {
		var table botproto.Table
		table, err = botclient.Ask[botproto.Table](host, first)
		second.Code = table.Code
	}
	if err != nil {
		return "", seats, err
	}
	begun, err := botclient.Ask[botproto.Match](guest, second)
	if err != nil {
		return "", seats, err
	}
	if _, err := botclient.Expect[botproto.Match](host); err != nil {
		return "", seats, err
	}
	if !begun.Seat.IsValid() {
		return "", seats, fmt.Errorf("the guest receives seat %d", begun.Seat)
	}
	seats[begun.Seat], seats[begun.Seat.Other()] = guest, host
	p.end("sitting down")
	return begun.Match, seats, nil
}

// ply plays a random move for the side to move. The recorded time ends when both bots have received the move.
func (p *Pair) ply(id match.ID, seats [3]*botclient.Client, at rules.Position) (rules.Position, error) {
	legal := at.LegalMoves()
	m := legal[p.rng.IntN(len(legal))]
	after, err := at.Play(m)
	if err != nil {
		return at, err
	}
	mover, text := at.Turn(), at.Variant().FormatMove(m)
	p.begin()
	if err := seats[mover].Send(botproto.Request{Do: botproto.DoMove, Match: id, Move: text}); err != nil {
		return at, err
	}
	for _, bot := range []*botclient.Client{seats[mover], seats[mover.Other()]} {
		received, err := moveOrEnd(bot)
		if err != nil {
			return at, err
		}
		move, isMove := received.(botproto.Move)
		if !isMove || move.Match != id || move.Ply != after.Plies() || move.Move != text || move.Seat != mover {
			return at, fmt.Errorf("%s as ply %d was received as %+v", text, after.Plies(), received)
		}
	}
	p.end("a move")
	p.Moves.Add(1)
	if !after.Outcome().IsOver() {
		return after, nil
	}
	for _, bot := range seats[1:] {
		received, err := moveOrEnd(bot)
		if err != nil {
			return at, err
		}
		if end, isEnd := received.(botproto.End); !isEnd || end.Winner != after.Outcome().Winner {
			return at, fmt.Errorf("the end was received as %+v", received)
		}
	}
	return after, nil
}

func moveOrEnd(bot *botclient.Client) (botproto.Event, error) {
	return bot.ExpectAny(botproto.Move{}.Name(), botproto.End{}.Name())
}
