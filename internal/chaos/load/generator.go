// Package load runs bots that play without pause, reconnect whenever a connection is cut, and record the lines that
// they send and receive in a [history.Book].
//
// The command chaos creates a [Generator] with New and runs it. Run starts one goroutine for each bot. Bots share
// private tables and live matches through the Generator, under its mutex. After Quiet the bots only finish their
// matches, and Settled reports the end of the last one.
//
// The key of a bot is made from the seed and its number. A bot sends a request only after the answer to the one
// before, because the record would otherwise not show which request was answered.
package load

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/chaos/history"
	"notakto/match"
)

// Config configures a [Generator].
type Config struct {
	Players    int
	Spectators int
	Matches    int           // matches that a player plays at once
	Think      time.Duration // maximum pause before a request, 0 for no pause
	Seed       uint64
	Style      Style
	Book       *history.Book
	// Dial connects the player of that number to any server, and returns the server's name. Several goroutines call
	// Dial at once.
	Dial func(ctx context.Context, player int) (net.Conn, string, error)
}

// Style selects the kinds of matches that bots play, and for how long.
type Style uint8

// The styles.
const (
	// Mixed bots play through the queue, at private tables and against the computer. A bot plays one rated pair at a
	// time.
	Mixed Style = iota
	// Hasty bots are Mixed bots that resign many matches after a few moves to start others.
	Hasty
)

// Generator runs the bots and holds their shared state. New creates one.
type Generator struct {
	cfg   Config
	links atomic.Int64  // number of the last connection
	back  chan struct{} // holds one value after a player was welcomed
	quiet chan struct{} // closed by Quiet

	mu      sync.Mutex
	offers  []offer
	live    []match.ID    // the latest matches, for spectators
	busy    map[*bot]bool // bots with unfinished matches or requests
	settled chan struct{} // closed once quiet is closed and busy is empty
}

// offer is a private table with a free seat.
type offer struct {
	code match.Code
	host string // name of the bot that offers the code
}

// New creates the bots' shared state. [Generator.Run] starts the bots.
func New(cfg Config) *Generator {
	return &Generator{
		cfg: cfg, back: make(chan struct{}, 1), quiet: make(chan struct{}),
		busy: map[*bot]bool{}, settled: make(chan struct{}),
	}
}

// Run plays until ctx ends and returns once the last bot has stopped. An error means that a bot could not be created.
func (g *Generator) Run(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	for number := range g.cfg.Players + g.cfg.Spectators {
		b, err := g.newBot(number)
		if err != nil {
			return err
		}
		all.Go(func() { b.run(ctx) })
	}
	return nil
}

func (g *Generator) newBot(number int) (*bot, error) {
	seed := binary.BigEndian.AppendUint64(make([]byte, ed25519.SeedSize-16), g.cfg.Seed)
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(binary.BigEndian.AppendUint64(seed, uint64(number))))
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	b := &bot{
		load: g, number: number, key: key, name: fmt.Sprintf("bot%d", number), spectates: number >= g.cfg.Players,
		rng: rand.New(rand.NewPCG(g.cfg.Seed, uint64(number))), games: map[match.ID]*game{},
	}
	if b.spectates {
		b.name = fmt.Sprintf("eye%d", number)
	}
	g.setBusy(b, !b.spectates)
	return b, nil
}

// Quiet makes the bots finish their matches and start no new ones. Quiet may be called once only.
func (g *Generator) Quiet() { close(g.quiet) }

// Settled returns a channel that is closed after Quiet, once the last match of a player has ended.
func (g *Generator) Settled() <-chan struct{} { return g.settled }

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

// setBusy records whether b is busy, and closes settled when the last bot ends after Quiet.
func (g *Generator) setBusy(b *bot, busy bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if busy {
		g.busy[b] = true
		return
	}
	delete(g.busy, b)
	if len(g.busy) > 0 || !g.isQuiet() {
		return
	}
	select {
	case <-g.settled:
	default:
		close(g.settled)
	}
}

// Busy returns the number of players with unfinished matches or requests.
func (g *Generator) Busy() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.busy)
}

// maxLive is the number of matches listed for spectators.
const maxLive = 32

func (g *Generator) addOffer(o offer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.offers, o) {
		g.offers = append(g.offers, o)
	}
}

// takeOffer removes and returns an offer of a bot other than the named one.
func (g *Generator) takeOffer(who string) (offer, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, o := range g.offers {
		if o.host != who {
			g.offers = slices.Delete(g.offers, i, i+1)
			return o, true
		}
	}
	return offer{}, false
}

// addLive lists a match for spectators, in place of the oldest one if the list is full.
func (g *Generator) addLive(id match.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.live, id) {
		g.live = append(g.live[max(0, len(g.live)-maxLive+1):], id)
	}
}

// pickLive returns a listed match, or "" if the list is empty.
func (g *Generator) pickLive(roll func(int) int) match.ID {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.live) == 0 {
		return ""
	}
	return g.live[roll(len(g.live))]
}

func (g *Generator) removeLive(id match.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live = slices.DeleteFunc(g.live, func(m match.ID) bool { return m == id })
}
