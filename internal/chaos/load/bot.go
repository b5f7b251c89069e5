package load

import (
	"context"
	"math/rand/v2"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

const (
	shortest      = 2 * time.Millisecond // between two attempts to connect, doubled up to the longest
	longest       = 250 * time.Millisecond
	answerTimeout = 15 * time.Second // for the result of a line; the server's own timeout for its store is 10 s
	never         = time.Hour
)

// bot is a player or a spectator. One goroutine owns it.
type bot struct {
	load      *Generator
	number    int
	name      string
	key       ssh.Signer
	spectates bool
	rng       *rand.Rand
	games     map[match.ID]*game
	pairs     pairs

	joining offer // the table whose code was sent last

	// State of this connection.
	client     *botclient.Client
	request    *botproto.Request // without an answer yet
	listed     []match.ID
	seeking    bool
	calm       bool // no player waits for the bot, for certain
	draining   bool
	tired      bool // of refusals: it tries another server
	resting    bool
	rejections int // in a row
	rest       *time.Timer
	late       *time.Timer
}

// run reconnects for as long as ctx lasts.
func (b *bot) run(ctx context.Context) {
	b.rest, b.late = time.NewTimer(never), time.NewTimer(never)
	for pause := shortest; ctx.Err() == nil; pause = min(2*pause, longest) {
		if b.come(ctx) {
			pause = shortest
		}
		wait := time.NewTimer(pause/2 + time.Duration(b.rng.Int64N(int64(pause))))
		select {
		case <-wait.C:
		case <-ctx.Done():
		}
	}
}

// come runs one connection from its beginning to its end; it reports whether there was one.
func (b *bot) come(ctx context.Context) bool {
	conn, where, err := b.load.cfg.Dial(ctx, b.number)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	client, err := connect(ctx, conn, b.name, b.key, &transcript{
		book: b.load.cfg.Book, who: b.name, where: where, links: &b.load.links,
	})
	if err != nil {
		return false
	}
	b.enter(client)
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = b.stay(ctx)
	client.Close() // records the connection's end before the next connection
	return b.listed != nil
}

func (b *bot) enter(client *botclient.Client) {
	if b.request != nil && b.request.Do == botproto.DoJoin { // without an answer, the code may still be valid
		b.load.offer(b.joining)
	}
	b.client, b.request, b.listed = client, nil, nil
	b.seeking, b.calm, b.draining, b.tired, b.rejections = false, false, false, false, 0
	b.resting = true // until it is welcomed
	b.rest.Reset(never)
	b.late.Reset(answerTimeout)
	for _, g := range b.games {
		g.shown, g.watched = false, false
	}
}
