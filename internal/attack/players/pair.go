//go:build attack

package players

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
	// think is the pause after a move: it leaves a fifth of a core to the attack even if a move costs a millisecond.
	think = 5 * time.Millisecond

	tableGame  = "notakto/3"
	queueGame  = "notakto/8" // for which no other player waits
	queueWaits = 20 * time.Second
)

// pair are two bots that play each other.
type pair struct {
	*Record
	bots  [2]*botclient.Client
	rng   *rand.Rand
	think time.Duration
	queue bool // they are paired by the queue, where one waits for a while
}

// newPair logs two bots in from an address; n differs for each pair.
func newPair(ctx context.Context, source net.IP, address string, n int, think time.Duration) (*pair, error) {
	p := &pair{Record: &Record{}, rng: rand.New(rand.NewPCG(1, uint64(n))), think: think}
	for i, name := range []string{"alice", "bob"} {
		bot, err := NewBot(ctx, source, address, name, Key(firstPair+2*n+i))
		if err != nil {
			p.leave()
			return nil, err
		}
		p.bots[i] = bot
	}
	return p, nil
}

func (p *pair) leave() {
	for _, bot := range p.bots {
		if bot != nil {
			bot.Close()
		}
	}
}

// run plays until the context ends or an error occurs.
func (p *pair) run(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if err := p.match(ctx, n); err != nil && ctx.Err() == nil {
			p.fault("honest match %d: %v", n, err)
			return
		}
	}
}

// match plays one match, and checks it with the rules.
func (p *pair) match(ctx context.Context, n int) error {
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
		if at, err = p.ply(id, seats, at); err != nil || at.Outcome().Over() {
			return err
		}
		<-time.After(p.think)
	}
	return nil
}

// sitDown opens a private table for the guest to join; its time counts as that of a move. Both receive the match before
// one of them moves: otherwise it would have the first move already. The bots are returned by the number of their
// seats.
func (p *pair) sitDown(host, guest *botclient.Client) (id match.ID, seats [3]*botclient.Client, err error) {
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

// together makes the guest join the host, who waits, and both receive the match.
func (p *pair) together(
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
	seats, err = seated(begun, host, guest)
	return begun.Match, seats, err
}

// seated returns the bots by the number of their seats, as received by the guest.
func seated(begun botproto.Match, host, guest *botclient.Client) (seats [3]*botclient.Client, err error) {
	if !begun.Seat.Valid() {
		return seats, fmt.Errorf("the guest receives seat %d", begun.Seat)
	}
	seats[begun.Seat], seats[3-begun.Seat] = guest, host
	return seats, nil
}

// queueUp makes the guest seek when the host has waited in the queue for a while.
func (p *pair) queueUp(host, guest *botclient.Client) (id match.ID, seats [3]*botclient.Client, err error) {
	if err := host.Send(botproto.Request{Do: botproto.DoSeek, Variant: queueGame}); err != nil {
		return "", seats, err
	}
	<-time.After(queueWaits)
	p.begin()
	id, seats, err = p.together(botproto.Request{Do: botproto.DoSeek, Variant: queueGame}, host, guest)
	p.end("meeting in the queue")
	return id, seats, err
}

// ply plays for the side to move, and both receive the move once. The time counts until both have it.
func (p *pair) ply(id match.ID, seats [3]*botclient.Client, at rules.Position) (rules.Position, error) {
	legal := at.Legal()
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
		move, is := received.(botproto.Move)
		if !is || move.Match != id || move.Ply != after.Plies() || move.Move != text || move.Seat != mover {
			return at, fmt.Errorf("%s as ply %d was received as %+v", text, after.Plies(), received)
		}
	}
	p.end("a move")
	if !after.Outcome().Over() {
		return after, nil
	}
	for _, bot := range seats[1:] {
		received, err := moveOrEnd(bot)
		if end, is := received.(botproto.End); err != nil || !is || end.Winner != after.Outcome().Winner {
			return at, fmt.Errorf("the end was received as %+v, %w", received, err)
		}
	}
	return after, nil
}

func moveOrEnd(bot *botclient.Client) (botproto.Event, error) {
	return bot.ExpectAny(botproto.Move{}.Name(), botproto.End{}.Name())
}
