//go:build hostile

package honest

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
)

// Party are the honest players of one server.
type Party struct {
	Moves, Keys *Record

	pair    *pair
	screen  *screen
	leave   context.CancelFunc
	playing sync.WaitGroup
}

// Come brings the players in and has them play.
func Come(ctx context.Context, address string) (*Party, error) {
	p := &Party{Moves: &Record{}, Keys: &Record{}}
	p.pair = &pair{Record: p.Moves, dice: rand.New(rand.NewPCG(1, 2))}
	home := net.IPv4(127, 0, 0, 1)
	var err error
	for i, name := range []string{"alice", "bob"} {
		if p.pair.bots[i], err = NewBot(ctx, home, address, name, Key(i+1)); err != nil {
			return nil, err
		}
	}
	if p.screen, err = newScreen(ctx, home, address, p.Keys); err != nil {
		return nil, err
	}
	ctx, p.leave = context.WithCancel(ctx)
	p.playing.Go(func() { p.pair.run(ctx) })
	p.playing.Go(func() { p.screen.run(ctx) })
	return p, nil
}

// Leave ends the play and cuts the connections.
func (p *Party) Leave() {
	p.leave()
	p.playing.Wait()
	for _, bot := range p.pair.bots {
		bot.Leave()
	}
	_ = p.screen.client.Close()
	for range p.screen.frames {
	}
}
