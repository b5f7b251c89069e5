//go:build attack

package honest

import (
	"context"
	"net"
	"sync"
	"time"
)

// The keys of honest people: the one at the screen, and then the bots.
const (
	screenKey = 1
	firstPair = 10
)

// Party are the honest players of one server.
type Party struct {
	Moves, Keys *Record
	Crowd       []*Record // of the moves of further pairs, which take their time

	pairs   []*pair
	screen  *screen
	leave   context.CancelFunc
	playing sync.WaitGroup
}

// stall is the most that anything may take.
const stall = 3 * time.Second

// Crowd are further pairs of bots, one of them in the queue, and the pause of each bot after a move. A still one has
// no bots at all.
type Crowd struct {
	Pairs int
	Pause time.Duration
	Still bool
}

// Come brings the players in and has them play: two bots, someone at a screen, and a crowd. With a crowd all of them
// take its time, and things may take longer.
func Come(ctx context.Context, address string, crowd Crowd) (*Party, error) {
	home, most, pause := net.IPv4(127, 0, 0, 1), stall, think
	if crowd.Pairs > 0 {
		most, pause = 3*eventTimeout, crowd.Pause // for the three events of laying a table
	}
	p := &Party{Moves: &Record{}, Keys: &Record{most: most}}
	if !crowd.Still {
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
	for n := range crowd.Pairs {
		another, err := newPair(ctx, net.IPv4(127, 0, 3, byte(1+n%250)), address, 1+n, pause)
		if err != nil {
			return nil, err
		}
		another.most, another.queue = most, n == 0
		p.pairs, p.Crowd = append(p.pairs, another), append(p.Crowd, another.Record)
	}
	ctx, p.leave = context.WithCancel(ctx)
	for _, pair := range p.pairs {
		p.playing.Go(func() { pair.run(ctx) })
	}
	p.playing.Go(func() { p.screen.run(ctx) })
	return p, nil
}

// Leave ends the play and cuts the connections.
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
