package rig

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"

	"notakto/internal/botclient"
)

// playerKey and pairKeys are numbers for [Key]. Pair n has the numbers pairKeys+2n and pairKeys+2n+1.
const (
	playerKey = 1
	pairKeys  = 10
)

const (
	answerLimit = 3 * time.Second       // the longest time that a move or a key may take without a Load
	keyPause    = 40 * time.Millisecond // between a frame of the honest player and the next key
	// movePause is the pause after a move without a Load. If a move costs 1 ms of processor time, the pair uses a sixth
	// of a core.
	movePause = 5 * time.Millisecond
)

// Load asks for more bots than the usual two.
type Load struct {
	Pairs int           // number of additional pairs, the first of them in the queue
	Pause time.Duration // of all bots after a move, if there are additional pairs
}

// Party has the honest players of one server.
type Party struct {
	Load []*Record // the moves of each additional pair

	pairs   []*Pair
	player  *Player
	leave   context.CancelFunc
	playing sync.WaitGroup
}

// Play logs in two bots that play each other continually, a player on the full screen and the load, and makes them
// play until [Party.Leave] or the end of ctx. With additional pairs an answer may take longer, three times
// [botclient.EventTimeout].
func Play(ctx context.Context, address string, load Load) (*Party, error) {
	home, limit, pause := net.IPv4(127, 0, 0, 1), answerLimit, movePause
	if load.Pairs > 0 {
		limit, pause = 3*botclient.EventTimeout, load.Pause // opening a table takes three events
	}
	p := &Party{}
	for n := range 1 + load.Pairs {
		source := home
		if n > 0 {
			source = net.IPv4(127, 0, 3, byte(1+n%250))
		}
		pair, err := Client{Source: source, Address: address}.Pair(ctx, n)
		if err != nil {
			return nil, err
		}
		if pair.limit, pair.Pause = limit, pause; n == 1 {
			pair.inQueue, pair.Variant = true, "notakto/8" // other players do not seek this variant
		}
		if p.pairs = append(p.pairs, pair); n > 0 {
			p.Load = append(p.Load, pair.Record)
		}
	}
	var err error
	if p.player, err = (Client{home, address, "carol", Key(playerKey)}).Player(ctx, keyPause); err != nil {
		return nil, err
	}
	p.player.limit = limit
	ctx, p.leave = context.WithCancel(ctx)
	for _, pair := range p.pairs {
		p.playing.Go(func() { pair.Run(ctx) })
	}
	p.playing.Go(func() { p.player.Run(ctx) })
	return p, nil
}

// Marks are positions in the records of the moves and of the keys.
type Marks [2]Mark

// Mark returns the present ends of the records.
func (p *Party) Mark() Marks { return Marks{p.pairs[0].Mark(), p.player.Mark()} }

// HasAnswers reports whether a move and a key were answered since m.
func (p *Party) HasAnswers(m Marks) bool {
	now := p.Mark()
	return now[0].took > m[0].took && now[1].took > m[1].took
}

// Answers are the times of moves and of keys.
type Answers [2]Times

// Since returns the times and the faults of the first pair and the player since m.
func (p *Party) Since(m Marks) (Answers, []string) {
	moves, faults := p.pairs[0].Since(m[0])
	keys, more := p.player.Since(m[1])
	return Answers{moves, keys}, slices.Concat(faults, more)
}

// Leave ends the play, closes the connections and waits for the goroutines of the players.
func (p *Party) Leave() {
	p.leave()
	p.playing.Wait()
	for _, pair := range p.pairs {
		pair.Leave()
	}
	p.player.Leave()
}
