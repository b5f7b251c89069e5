// Package load runs bots that play without pause, reconnect whenever a connection is cut, and record the lines that
// they send and receive in a [history.Book].
//
// The command chaos creates a [Generator] with New and runs it. Run starts one goroutine for each bot. Bots share
// private tables through the Generator, under its mutex. After Quiet a bot only finishes its matches, then leaves. Run
// returns when the last bot has left.
//
// The key of a bot is made from its number. A bot sends a request only after the answer to the one before, because the
// record would otherwise not show which request was answered.
package load

import (
	"context"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"notakto/internal/chaos/history"
	"notakto/match"
)

// Config configures a [Generator].
type Config struct {
	Players int
	Think   time.Duration // maximum pause before a request, 0 for no pause
	Resigns int           // of 1,000 moves, the number that the bots resign instead
	Seed    uint64
	Book    *history.Book
	// Dial connects to any server, and returns the server's name. Several goroutines call Dial at once.
	Dial func() (net.Conn, string, error)
}

// Generator runs the bots and holds their shared state. New creates one.
type Generator struct {
	cfg   Config
	back  chan struct{} // holds one value after a player was welcomed
	quiet chan struct{} // closed by Quiet

	mu     sync.Mutex
	offers []offer
}

// offer is a private table with a free seat.
type offer struct {
	code match.Code
	host *bot
}

// New creates the bots' shared state. [Generator.Run] starts the bots.
func New(cfg Config) *Generator {
	return &Generator{cfg: cfg, back: make(chan struct{}, 1), quiet: make(chan struct{})}
}

// Run plays until ctx ends or, after Quiet, until the last match has ended.
func (g *Generator) Run(ctx context.Context) {
	var all sync.WaitGroup
	for number := range g.cfg.Players {
		b := &bot{
			load: g, number: number, games: map[match.ID]*game{},
			rng: rand.New(rand.NewPCG(g.cfg.Seed, uint64(number))),
		}
		all.Go(func() { b.run(ctx) })
	}
	all.Wait()
}

// Quiet makes the bots finish their matches and start no new ones. Quiet may be called once only.
func (g *Generator) Quiet() { close(g.quiet) }

// Back returns a channel that delivers one value for any number of welcomes since the last receive.
func (g *Generator) Back() <-chan struct{} { return g.back }

func (g *Generator) isQuiet() bool {
	select {
	case <-g.quiet:
		return true
	default:
		return false
	}
}

func (g *Generator) addOffer(o offer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.offers, o) {
		g.offers = append(g.offers, o)
	}
}

// takeOffer removes and returns an offer of another bot.
func (g *Generator) takeOffer(guest *bot) (offer, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.offers, func(o offer) bool { return o.host != guest })
	if i < 0 {
		return offer{}, false
	}
	o := g.offers[i]
	g.offers = slices.Delete(g.offers, i, i+1)
	return o, true
}
