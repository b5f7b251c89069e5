package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/internal/chaos/history"
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

const (
	shortest      = 2 * time.Millisecond // pause between attempts to connect, doubled up to longest
	longest       = 250 * time.Millisecond
	answerTimeout = 15 * time.Second // longer than the server's own timeout of 10 s for its store
	never         = time.Hour
)

// bot is a player or a spectator, owned by one goroutine.
type bot struct {
	load      *Generator
	number    int
	name      string
	key       ssh.Signer
	spectates bool
	rng       *rand.Rand
	games     map[match.ID]*game
	pairs     pairs

	joining offer // the last table that the bot asked to join

	// State of this connection.
	client     *botclient.Client
	request    *botproto.Request // last request, nil once it is answered
	listed     []match.ID
	seeking    bool
	calm       bool // a DoCancel was answered, and the bot is in no queue
	draining   bool
	tired      bool // the bot leaves for another server after refusals
	resting    bool // no request is sent until rest fires
	rejections int  // refusals in sequence that were not definite
	rest       *time.Timer
	late       *time.Timer // fires if request has no answer in time
}

// run connects again and again until ctx ends.
func (b *bot) run(ctx context.Context) {
	b.rest, b.late = time.NewTimer(never), time.NewTimer(never)
	for pause := shortest; ctx.Err() == nil; pause = min(2*pause, longest) {
		if b.runConnection(ctx) {
			pause = shortest
		}
		wait := time.NewTimer(pause/2 + time.Duration(b.rng.Int64N(int64(pause))))
		select {
		case <-wait.C:
		case <-ctx.Done():
		}
	}
}

// runConnection runs one connection to its end, and reports whether the server welcomed the bot.
func (b *bot) runConnection(ctx context.Context) bool {
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
	b.resetConnection(client)
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = b.exchangeLines(ctx)
	client.Close() // records the connection's end before the next connection
	return b.listed != nil
}

func (b *bot) resetConnection(client *botclient.Client) {
	if b.request != nil && b.request.Do == botproto.DoJoin { // the code may still be valid
		b.load.addOffer(b.joining)
	}
	b.client, b.request, b.listed = client, nil, nil
	b.seeking, b.calm, b.draining, b.tired, b.rejections = false, false, false, false, 0
	b.resting = true // until the welcome
	b.rest.Reset(never)
	b.late.Reset(answerTimeout)
	for _, g := range b.games {
		g.shown, g.watched = false, false
	}
}

var errSilent = errors.New("the server does not answer")

// exchangeLines sends requests and handles events until the connection ends or the bot is tired.
func (b *bot) exchangeLines(ctx context.Context) error {
	quiet := b.load.quiet
	for {
		if err := b.act(); err != nil {
			return err
		}
		select {
		case event, open := <-b.client.Events():
			if !open {
				return nil
			}
			b.handle(event)
		case <-b.rest.C:
			b.resting = false
		case <-b.late.C:
			return errSilent
		case <-quiet:
			quiet = nil
		case <-ctx.Done():
			return ctx.Err()
		}
		if b.tired {
			return nil
		}
	}
}

// act sends the next request unless the bot rests or waits for an answer.
func (b *bot) act() error {
	if b.request != nil || b.resting {
		return nil
	}
	line, more := b.next()
	b.load.setBusy(b, more || !b.idle())
	if !more {
		return nil
	}
	b.request = &line
	b.late.Reset(answerTimeout)
	return b.client.Send(line)
}

// idle reports whether the bot has no unfinished match or request. A private table without a second player does not
// count, because after Quiet no bot joins.
func (b *bot) idle() bool {
	for _, g := range b.games {
		if g.begun || !g.shown || !g.private {
			return b.spectates
		}
	}
	return b.calm && b.pairs.between == "" && b.pairs.seedOf == "" || b.spectates
}

// pause makes the bot send no request for d, in place of an earlier pause.
func (b *bot) pause(d time.Duration) {
	b.resting = d > 0
	b.rest.Reset(max(d, 1))
}

const loginTimeout = 10 * time.Second

// connect logs in and starts a session. On an error the caller closes conn.
func connect(
	ctx context.Context, conn net.Conn, user string, key ssh.Signer, t botclient.Transcript,
) (*botclient.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	client, err := botclient.Login(ctx, conn, user, key)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	return botclient.Open(client, t)
}

// transcript implements [botclient.Transcript] with entries of the book.
type transcript struct {
	book       *history.Book
	who, where string
	links      *atomic.Int64 // number of the last connection of any bot
	link       int           // number of this connection
}

// Opened implements [botclient.Transcript] and gives the connection its number.
func (t *transcript) Opened() {
	t.link = int(t.links.Add(1))
	t.add(history.Entry{What: history.Opened, Note: t.where})
}

// Sent implements [botclient.Transcript].
func (t *transcript) Sent(line []byte) { t.add(history.Entry{What: history.Sent, Line: line}) }

// Received implements [botclient.Transcript].
func (t *transcript) Received(line []byte) { t.add(history.Entry{What: history.Received, Line: line}) }

// Closed implements [botclient.Transcript].
func (t *transcript) Closed(cause error, rest []byte) {
	t.add(history.Entry{What: history.Cut, Note: fmt.Sprintf("%v after %q", cause, rest)})
}

func (t *transcript) add(e history.Entry) {
	e.Who, e.Link = t.who, t.link
	t.book.Add(e)
}
