package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"notakto/internal/botclient"
	"notakto/internal/rig"
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

const (
	shortestPause = 2 * time.Millisecond // between attempts to connect, doubled up to longestPause
	longestPause  = 250 * time.Millisecond
	loginTimeout  = 10 * time.Second
	answerTimeout = 15 * time.Second // longer than the server's own timeout of 10 s for its store
	never         = time.Hour

	refusalPause  = 20 * time.Millisecond // doubled by each refusal that is not definite
	maxDoublings  = 6                     // of refusalPause
	patience      = 6                     // refusals in sequence after which the bot may try another server
	maxRejections = 4                     // refusals of DoWatch until the bot drops the match
)

// bot is a player, owned by one goroutine.
type bot struct {
	load   *Generator
	number int
	rng    *rand.Rand
	games  map[match.ID]*game

	between match.ID // the ended first game of a rated pair, until the second game begins
	joining offer    // the last table that the bot asked to join
	done    bool     // after Quiet, the bot has no match left

	// State of this connection.
	client     *botclient.Client
	request    *botproto.Request // last request, nil once it is answered
	listed     []match.ID        // in the welcome, nil before
	seeking    bool
	calm       bool // a DoCancel was answered, and the bot is in no queue
	draining   bool
	tired      bool // the bot leaves for another server after refusals
	resting    bool // no request is sent until rest fires
	rejections int  // refusals in sequence that were not definite
	rest       *time.Timer
	late       *time.Timer // fires if request has no answer in time
}

// run connects again and again until ctx ends or the bot is done.
func (b *bot) run(ctx context.Context) {
	b.rest, b.late = time.NewTimer(never), time.NewTimer(never)
	for pause := shortestPause; ctx.Err() == nil && !b.done; pause = min(2*pause, longestPause) {
		if b.runConnection(ctx) {
			pause = shortestPause
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
	conn, where, err := b.load.cfg.Dial()
	if err != nil {
		return false
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	name := fmt.Sprintf("bot%d", b.number)
	loggingIn := time.AfterFunc(loginTimeout, func() { _ = conn.Close() })
	client, err := botclient.Login(ctx, conn, name, rig.Key(b.number))
	if err != nil {
		return false
	}
	b.client, err = botclient.Open(client, b.load.cfg.Book.Link(name, where))
	if err != nil {
		_ = conn.Close()
		return false
	}
	defer b.client.Close() // records the connection's end before the next connection
	if !loggingIn.Stop() {
		return false
	}
	b.resetConnection()
	b.exchangeLines(ctx)
	return b.listed != nil
}

func (b *bot) resetConnection() {
	if b.request != nil && b.request.Do == botproto.DoJoin { // the code may still be valid
		b.load.addOffer(b.joining)
	}
	b.request, b.listed = nil, nil
	b.seeking, b.calm, b.draining, b.tired, b.rejections = false, false, false, false, 0
	b.resting = true // until the welcome
	b.rest.Reset(never)
	b.late.Reset(answerTimeout)
	for _, g := range b.games {
		g.shown, g.watched = false, false
	}
}

// exchangeLines sends requests and handles events until the connection ends, the server does not answer, or the bot is
// tired or done.
func (b *bot) exchangeLines(ctx context.Context) {
	for quiet := b.load.quiet; !b.tired; {
		if err := b.act(); err != nil || b.done {
			return
		}
		select {
		case event, open := <-b.client.Events():
			if !open {
				return
			}
			b.handle(event)
		case <-b.rest.C:
			b.resting = false
		case <-b.late.C:
			return
		case <-quiet:
			quiet = nil
		case <-ctx.Done():
			return
		}
	}
}

// act sends the next request unless the bot rests or waits for an answer.
func (b *bot) act() error {
	if b.request != nil || b.resting {
		return nil
	}
	line, more := b.next()
	if !more {
		b.done = b.load.isQuiet() && b.isIdle()
		return nil
	}
	b.request = &line
	b.late.Reset(answerTimeout)
	return b.client.Send(line)
}

// isIdle reports whether the bot has no unfinished match or request. A private table without a second player does not
// count, because no bot asks to join after Quiet. A join that was sent before may still begin a match, which ends by
// absence.
func (b *bot) isIdle() bool {
	for _, g := range b.games {
		if g.begun || !g.shown || !g.private {
			return false
		}
	}
	return b.calm && b.between == ""
}

// pause makes the bot send no request for d, in place of an earlier pause.
func (b *bot) pause(d time.Duration) {
	b.resting = d > 0
	b.rest.Reset(max(d, 1))
}

func (b *bot) handle(event botproto.Event) {
	switch event := event.(type) {
	case botproto.Welcome:
		b.handleWelcome(event)
	case botproto.Match:
		b.handleMatch(event)
	case botproto.Table: // offers the code to other bots
		g := b.game(event.Match)
		g.shown, g.private = true, true
		b.load.addOffer(offer{event.Code, b})
		b.answered(botproto.DoCreate)
	case botproto.Move:
		b.handleMove(event)
	case botproto.End:
		isFirstGame := b.games[event.Match] != nil && b.games[event.Match].pair == event.Match
		delete(b.games, event.Match)
		if isFirstGame && event.Winner.IsValid() && event.PairResult == nil {
			b.awaitSecondGame(event.Match)
		}
		b.answered(botproto.DoResign)
	case botproto.Seeking:
		b.seeking = true
		b.answered(botproto.DoSeek)
	case botproto.Cancelled:
		b.seeking, b.calm = false, true
		b.answered(botproto.DoCancel, botproto.DoSeek)
	case botproto.Error:
		b.handleError(event)
	}
}

// game returns the bot's game of a match, a new one if there is none.
func (b *bot) game(id match.ID) *game {
	if b.games[id] == nil {
		b.games[id] = &game{}
	}
	return b.games[id]
}

func (b *bot) handleWelcome(line botproto.Welcome) {
	b.between = ""
	b.listed = append(make([]match.ID, 0, 1), line.Matches...) // not nil
	for _, id := range line.Matches {
		b.game(id)
	}
	b.late.Reset(never)
	b.pause(0)
	select {
	case b.load.back <- struct{}{}:
	default:
	}
}

func (b *bot) handleMatch(line botproto.Match) {
	isSecondGame := line.Pair != nil && line.Pair.Game == 2
	if isSecondGame && b.between == line.Pair.ID {
		b.between = ""
	}
	if line.Rated && line.Over && line.Seat.IsValid() { // an answer about an ended game of a pair
		delete(b.games, line.Match)
		if !isSecondGame && line.Opening != nil && line.Opening.Seed == "" { // the pair is not over
			b.awaitSecondGame(line.Match)
		}
		b.answered(botproto.DoState, botproto.DoWatch)
		return
	}
	if b.games[line.Match] == nil {
		b.seeking = b.seeking && (isSecondGame || b.request != nil && slices.Contains(
			[]botproto.Verb{botproto.DoJoin, botproto.DoComputer, botproto.DoWatch}, b.request.Do))
	}
	g := b.game(line.Match)
	g.setState(line)
	if w := b.request; w != nil && w.Match != "" && w.Match != line.Match {
		return
	}
	b.calm = b.calm || b.request != nil && b.request.Do == botproto.DoCancel
	b.answered(botproto.DoState, botproto.DoWatch, botproto.DoJoin, botproto.DoComputer, botproto.DoCancel)
}

// awaitSecondGame sets between after the first game of a pair, unless the second game is known already.
func (b *bot) awaitSecondGame(first match.ID) {
	for _, g := range b.games {
		if g.pair == first {
			return
		}
	}
	b.between = first
}

func (b *bot) handleMove(line botproto.Move) {
	g := b.games[line.Match]
	if g == nil {
		return
	}
	g.play(line.Move)
	if w := b.request; w != nil && w.Match == line.Match && w.Move == line.Move && line.Seat == g.seat {
		b.answered(botproto.DoMove)
	}
}

// handleError processes the refusal of b.request. A move or resignation is not repeated before the bot has asked for
// the match again.
func (b *bot) handleError(line botproto.Error) {
	w := b.request
	if w == nil || line.Do != "" && line.Do != w.Do {
		return
	}
	b.request = nil
	b.late.Reset(never)
	if line.Code.IsDefinite() {
		b.pause(refusalPause)
	} else {
		b.pause(refusalPause << min(b.rejections, maxDoublings))
		b.rejections++
		// A refused request may have opened a match, which only the welcome of a new connection lists.
		opens := []botproto.Verb{botproto.DoSeek, botproto.DoCreate, botproto.DoJoin, botproto.DoComputer}
		b.tired = slices.Contains(opens, w.Do) || b.rejections%patience == 0 && b.rng.IntN(2) == 0
	}
	switch line.Code {
	case botproto.CodeDraining:
		b.draining = true
	case botproto.CodeAlreadySeeking, botproto.CodeTooMany, botproto.CodeRateLimited, botproto.CodeRated:
		b.pause(time.Second / 2)
	}
	g := b.games[w.Match]
	switch {
	case w.Do == botproto.DoJoin:
		if !line.Code.IsDefinite() || line.Code == botproto.CodeRateLimited || line.Code == botproto.CodeTooMany {
			b.load.addOffer(b.joining)
		}
	case g == nil:
	case w.Do == botproto.DoMove, w.Do == botproto.DoResign:
		g.shown = false
	case !line.Code.IsDefinite():
	case w.Do == botproto.DoState:
		g.watched = true
	case w.Do == botproto.DoWatch: // the store's check notices if the match is lost
		if g.rejections++; g.rejections >= maxRejections {
			delete(b.games, w.Match)
		}
	}
}

// answered ends the wait for an answer if the request's verb is one of verbs.
func (b *bot) answered(verbs ...botproto.Verb) {
	if b.request == nil || !slices.Contains(verbs, b.request.Do) {
		return
	}
	b.request, b.rejections = nil, 0
	b.late.Reset(never)
	if think := b.load.cfg.Think; think > 0 {
		b.pause(time.Duration(b.rng.Int64N(int64(think))) + 1)
	}
}
