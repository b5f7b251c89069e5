//go:build attack

package honest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"notakto/rules"
)

const (
	// think is the pause after a move: a fifth of a core is left to the attack even where a move costs a millisecond.
	think = 5 * time.Millisecond

	tableGame  = "notakto/3"
	queueGame  = "notakto/8" // which nobody else waits for
	queueWaits = 20 * time.Second
)

// pair are two bots that play each other.
type pair struct {
	*Record
	bots  [2]*Bot
	rng   *rand.Rand
	think time.Duration
	queue bool // they meet in the queue, where one waits for a while
}

// newPair logs two bots in from an address; n is different for each pair.
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
			bot.Leave()
		}
	}
}

// run plays until the context ends or something goes wrong.
func (p *pair) run(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if err := p.match(ctx, n); err != nil && ctx.Err() == nil {
			p.fault("honest match %d: %v", n, err)
			return
		}
	}
}

// match plays one match, and follows it with the rules.
func (p *pair) match(ctx context.Context, n int) error {
	meet, game := p.sitDown, tableGame
	if p.queue {
		meet, game = p.queueUp, queueGame
	}
	match, seats, err := meet(p.bots[n%2], p.bots[1-n%2])
	if err != nil {
		return err
	}
	variant, err := rules.ParseVariant(game)
	if err != nil {
		return err
	}
	for at := variant.Start(); ctx.Err() == nil; {
		if at, err = p.ply(match, seats, at); err != nil || at.Outcome().Over() {
			return err
		}
		<-time.After(p.think)
	}
	return nil
}

// sitDown lays a table and has the guest join, which counts as a move does. Both have been told of the match before
// anybody moves: who is told later is told the first move with it. The bots are told by the number of their seats.
func (p *pair) sitDown(host, guest *Bot) (match string, seats [3]*Bot, err error) {
	p.begin()
	if err := host.Say(Line{Do: "create", Variant: tableGame}); err != nil {
		return "", seats, err
	}
	table, err := host.Expect("table")
	if err != nil {
		return "", seats, err
	}
	match, seats, err = p.together(Line{Do: "join", Code: table.Code}, host, guest)
	p.end("laying a table")
	return match, seats, err
}

// together has the guest come to the host, who waits, and both be told.
func (p *pair) together(come Line, host, guest *Bot) (match string, seats [3]*Bot, err error) {
	if err := guest.Say(come); err != nil {
		return "", seats, err
	}
	begun, err := guest.Expect("match")
	if err != nil {
		return "", seats, err
	}
	if _, err := host.Expect("match"); err != nil {
		return "", seats, err
	}
	seats, err = seated(begun, host, guest)
	return begun.Match, seats, err
}

// seated are the bots by the number of their seats, as the guest was told.
func seated(begun Line, host, guest *Bot) (seats [3]*Bot, err error) {
	if begun.Seat != 1 && begun.Seat != 2 {
		return seats, fmt.Errorf("the guest is told to sit at %d", begun.Seat)
	}
	seats[begun.Seat], seats[3-begun.Seat] = guest, host
	return seats, nil
}

// queueUp has the guest come to the queue when the host has been there for a while.
func (p *pair) queueUp(host, guest *Bot) (match string, seats [3]*Bot, err error) {
	if err := host.Say(Line{Do: "seek", Variant: queueGame}); err != nil {
		return "", seats, err
	}
	<-time.After(queueWaits)
	p.begin()
	match, seats, err = p.together(Line{Do: "seek", Variant: queueGame}, host, guest)
	p.end("meeting in the queue")
	return match, seats, err
}

// ply has the side to move play, and both be told so once. The time counts until both know.
func (p *pair) ply(match string, seats [3]*Bot, at rules.Position) (rules.Position, error) {
	legal := at.Legal()
	m := legal[p.rng.IntN(len(legal))]
	after, err := at.Play(m)
	if err != nil {
		return at, err
	}
	mover, text := int(at.Turn()), at.Variant().FormatMove(m)
	p.begin()
	if err := seats[mover].Say(Line{Do: "move", Match: match, Move: text}); err != nil {
		return at, err
	}
	for _, bot := range []*Bot{seats[mover], seats[3-mover]} {
		received, err := bot.Expect("move", "end")
		if err != nil {
			return at, err
		}
		if received.Event != "move" || received.Match != match || received.Ply != after.Plies() || received.Move != text || received.Seat != mover {
			return at, fmt.Errorf("%s as ply %d was told as %+v", text, after.Plies(), received)
		}
	}
	p.end("a move")
	if !after.Outcome().Over() {
		return after, nil
	}
	for _, bot := range seats[1:] {
		if received, err := bot.Expect("end", "move"); err != nil || received.Event != "end" || received.Winner != int(after.Outcome().Winner) {
			return at, fmt.Errorf("the end was told as %+v, %w", received, err)
		}
	}
	return after, nil
}
