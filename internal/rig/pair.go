package rig

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"notakto/internal/botclient"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

const (
	tableGame  = "notakto/3"
	queueGame  = "notakto/8" // other players do not seek this variant
	queueWaits = 20 * time.Second
)

// Pair has two bots that play each other. The bots take turns at being the host of a private table.
type Pair struct {
	*Record
	bots  [2]*botclient.Client
	rng   *rand.Rand
	pause time.Duration
	queue bool // meet in the queue, where the host waits for queueWaits first
}

// NewPair logs in two bots from source. Number n, a different one for each pair, selects the keys and random moves.
// After a move the bots pause.
func NewPair(ctx context.Context, source net.IP, address string, n int, pause time.Duration) (*Pair, error) {
	p := &Pair{Record: &Record{limit: answerLimit}, rng: rand.New(rand.NewPCG(1, uint64(n))), pause: pause}
	for i, name := range []string{"alice", "bob"} {
		bot, err := NewBot(ctx, source, address, name, Key(pairKeys+2*n+i))
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
		if err := p.match(ctx, n); err != nil && ctx.Err() == nil {
			p.fault("honest match %d: %v", n, err)
			return
		}
	}
}

// match plays match n and compares the received events with the rules.
func (p *Pair) match(ctx context.Context, n int) error {
	meet, game := p.sitDown, tableGame
	if p.queue {
		meet, game = p.queueUp, queueGame
	}
	id, seats, err := meet(p.bots[n%2], p.bots[1-n%2])
	if err != nil {
		return err
	}
	variant, err := rules.ParseVariant(game)
	if err != nil {
		return err
	}
	for at := variant.Start(); ctx.Err() == nil; {
		if at, err = p.ply(id, seats, at); err != nil || at.Outcome().IsOver() {
			return err
		}
		<-time.After(p.pause)
	}
	return nil
}

// sitDown makes the host open a private table and the guest join, and records the time. seats has the bots by seat, 1
// and 2.
func (p *Pair) sitDown(host, guest *botclient.Client) (id match.ID, seats [3]*botclient.Client, err error) {
	p.begin()
	if err := host.Send(botproto.Request{Do: botproto.DoCreate, Variant: tableGame}); err != nil {
		return "", seats, err
	}
	table, err := botclient.Expect[botproto.Table](host)
	if err != nil {
		return "", seats, err
	}
	id, seats, err = p.together(botproto.Request{Do: botproto.DoJoin, Code: table.Code}, host, guest)
	p.end("creating a table")
	return id, seats, err
}

// together sends the guest's request to come to the waiting host, and waits until both have received the match. After
// the first move the match event would include that move.
func (p *Pair) together(
	come botproto.Request, host, guest *botclient.Client,
) (id match.ID, seats [3]*botclient.Client, err error) {
	if err := guest.Send(come); err != nil {
		return "", seats, err
	}
	begun, err := botclient.Expect[botproto.Match](guest)
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
	return begun.Match, seats, nil
}

// queueUp makes the host seek, and after queueWaits the guest.
func (p *Pair) queueUp(host, guest *botclient.Client) (id match.ID, seats [3]*botclient.Client, err error) {
	if err := host.Send(botproto.Request{Do: botproto.DoSeek, Variant: queueGame}); err != nil {
		return "", seats, err
	}
	<-time.After(queueWaits)
	p.begin()
	id, seats, err = p.together(botproto.Request{Do: botproto.DoSeek, Variant: queueGame}, host, guest)
	p.end("meeting in the queue")
	return id, seats, err
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
	if !after.Outcome().IsOver() {
		return after, nil
	}
	for _, bot := range seats[1:] {
		received, err := moveOrEnd(bot)
		if end, isEnd := received.(botproto.End); err != nil || !isEnd || end.Winner != after.Outcome().Winner {
			return at, fmt.Errorf("the end was received as %+v, %w", received, err)
		}
	}
	return after, nil
}

func moveOrEnd(bot *botclient.Client) (botproto.Event, error) {
	return bot.ExpectAny(botproto.Move{}.Name(), botproto.End{}.Name())
}
