package bots

import (
	"context"
	"math/rand/v2"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/chaos/history"
)

const (
	shortest      = 2 * time.Millisecond // between two attempts to connect, doubled up to the longest
	longest       = 250 * time.Millisecond
	answerTimeout = 15 * time.Second // for what comes of a line; the server's own for its journal is 10 s
	never         = time.Hour
)

// bot is a player, or somebody who looks on. One goroutine owns it.
type bot struct {
	crowd   *Crowd
	number  int
	name    string
	key     ssh.Signer
	looksOn bool
	rng     *rand.Rand
	games   map[string]*game

	joining offer // the table whose code was said last

	// Of this connection.
	link       *link
	request    *history.Line // nothing has come of it yet
	listed     []string
	seeking    bool
	calm       bool // it is certain that the bot waits for nobody
	draining   bool
	tired      bool // of refusals: it tries elsewhere
	resting    bool
	rejections int // in a row
	rest       *time.Timer
	late       *time.Timer
}

// run comes back for as long as ctx lasts.
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

// come is one connection from its beginning to its end; it reports whether there was one.
func (b *bot) come(ctx context.Context) bool {
	conn, where, err := b.crowd.cfg.Dial(ctx, b.number)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	l, err := connect(ctx, conn, b.name, b.key)
	if err != nil {
		return false
	}
	l.number, l.book = int(b.crowd.links.Add(1)), b.crowd.cfg.Book
	l.book.Add(history.Entry{Who: b.name, Link: l.number, What: history.Opened, Note: where})
	go l.read(ctx)
	b.enter(l)
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = b.stay(ctx)
	_ = conn.Close()
	for range l.ended { // what it did not hear any more is asked for again; the connection's end is in the book before the next one
	}
	return b.listed != nil
}

func (b *bot) enter(l *link) {
	if b.request != nil && b.request.Do == "join" { // nobody knows whether it came to that
		b.crowd.offer(b.joining)
	}
	b.link, b.request, b.listed = l, nil, nil
	b.seeking, b.calm, b.draining, b.tired, b.rejections = false, false, false, false, 0
	b.resting = true // until it is welcomed
	b.rest.Reset(never)
	b.late.Reset(answerTimeout)
	for _, g := range b.games {
		g.shown, g.watched = false, false
	}
}
