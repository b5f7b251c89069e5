//go:build attack

package players

import (
	"context"
	"net"
	"sync"
	"time"

	"notakto/internal/botclient"
)

// Numbers of the keys of honest players: the one at the screen, and then the bots.
const (
	screenKey = 1
	firstPair = 10
)

// Party is the honest players of one server.
type Party struct {
	Moves, Keys *Record
	Load        []*Record // of the moves of additional pairs, which are slow

	pairs   []*pair
	screen  *screen
	leave   context.CancelFunc
	playing sync.WaitGroup
}

// stall is the time limit for anything.
const stall = 3 * time.Second

// Load is additional pairs of bots, one of them in the queue, and the pause of each bot after a move. A still one has
// no bots at all.
type Load struct {
	Pairs int
	Pause time.Duration
	Still bool
}

// Start logs the players in and makes them play: two bots, one at a screen, and a load. With a load all of them have
// its pause, and things may take longer.
func Start(ctx context.Context, address string, load Load) (*Party, error) {
	home, most, pause := net.IPv4(127, 0, 0, 1), stall, think
	if load.Pairs > 0 {
		most, pause = 3*botclient.EventTimeout, load.Pause // for the three events of opening a table
	}
	p := &Party{Moves: &Record{}, Keys: &Record{most: most}}
	if !load.Still {
		first, err := newPair(ctx, home, address, 0, pause)
		if err != nil {
			return nil, err
		}
		first.most = most
		p.Moves, p.pairs = first.Record, []*pair{first}
	}
	var err error
	if p.screen, err = newScreen(ctx, home, address, p.Keys); err != nil {
		return nil, err
	}
	for n := range load.Pairs {
		another, err := newPair(ctx, net.IPv4(127, 0, 3, byte(1+n%250)), address, 1+n, pause)
		if err != nil {
			return nil, err
		}
		another.most, another.queue = most, n == 0
		p.pairs, p.Load = append(p.pairs, another), append(p.Load, another.Record)
	}
	ctx, p.leave = context.WithCancel(ctx)
	for _, pair := range p.pairs {
		p.playing.Go(func() { pair.run(ctx) })
	}
	p.playing.Go(func() { p.screen.run(ctx) })
	return p, nil
}

// Leave ends the play and closes the connections.
func (p *Party) Leave() {
	p.leave()
	p.playing.Wait()
	for _, pair := range p.pairs {
		pair.leave()
	}
	_ = p.screen.client.Close()
	for range p.screen.frames {
	}
}
