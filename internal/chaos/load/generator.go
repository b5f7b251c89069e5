package load

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/chaos/history"
	"notakto/match"
)

// Config configures a load.
type Config struct {
	Players    int
	Spectators int
	Matches    int           // that a player plays at once
	Think      time.Duration // maximum pause before a request
	Seed       uint64
	Style      Style
	Book       *history.Book
	// Dial opens a connection for a player by number, perhaps to another server than before, and returns the server's
	// name.
	Dial func(ctx context.Context, player int) (net.Conn, string, error)
}

// Style is how bots play.
type Style uint8

// The styles.
const (
	// Mixed bots play rated pairs, one at a time, by the queue, by private tables and against the computer.
	Mixed Style = iota
	// Hasty bots do the same, and resign many matches after a few moves to start others.
	Hasty
)

// Generator is all the bots, and their shared state.
type Generator struct {
	cfg   Config
	links atomic.Int64
	back  chan struct{} // one slot: a player was welcomed
	quiet chan struct{} // closed when nothing new is started any more

	mu      sync.Mutex
	offers  []offer
	live    []match.ID // matches to watch, the latest
	busy    map[*bot]bool
	settled chan struct{} // closed when it is quiet and no player is busy
}

// offer is a private table with a free seat.
type offer struct {
	code match.Code
	host string
}

// New creates a load; [Generator.Run] starts it.
func New(cfg Config) *Generator {
	return &Generator{
		cfg: cfg, back: make(chan struct{}, 1), quiet: make(chan struct{}),
		busy: map[*bot]bool{}, settled: make(chan struct{}),
	}
}

// Run plays until ctx ends, and returns when every bot has stopped.
func (g *Generator) Run(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	for number := range g.cfg.Players + g.cfg.Spectators {
		b, err := g.bot(number)
		if err != nil {
			return err
		}
		all.Go(func() { b.run(ctx) })
	}
	return nil
}

func (g *Generator) bot(number int) (*bot, error) {
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
	g.note(b, !b.spectates)
	return b, nil
}

// Quiet makes the bots start nothing new; matches in progress are played to their end.
func (g *Generator) Quiet() { close(g.quiet) }

// Settled returns a channel that is closed once it is quiet and every match of every player has ended.
func (g *Generator) Settled() <-chan struct{} { return g.settled }

// Back receives a value when a player was welcomed since the last one.
func (g *Generator) Back() <-chan struct{} { return g.back }

func (g *Generator) isQuiet() bool {
	select {
	case <-g.quiet:
		return true
	default:
		return false
	}
}

// note counts the busy players.
func (g *Generator) note(b *bot, busy bool) {
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

// Busy returns the number of players with unfinished business.
func (g *Generator) Busy() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.busy)
}
