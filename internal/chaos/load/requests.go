package load

import (
	"fmt"
	"slices"
	"time"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
)

const (
	watched   = 2 // matches that a spectator watches
	lookAgain = 100 * time.Millisecond
)

// next returns the bot's next request, or false if the bot has to wait.
func (b *bot) next() (botproto.Request, bool) {
	for id, g := range b.games {
		if !g.shown {
			do := botproto.DoWatch
			if slices.Contains(b.listed, id) && !g.watched {
				do = botproto.DoState
			}
			return botproto.Request{Do: do, Match: id}, true
		}
	}
	for id, g := range b.games {
		switch {
		case !g.isMyTurn():
		case b.rng.IntN(200) == 0, b.load.cfg.Style == Hasty && b.rng.IntN(4) == 0:
			return botproto.Request{Do: botproto.DoResign, Match: id}, true
		default:
			return botproto.Request{Do: botproto.DoMove, Match: id, Move: g.choose(b.rng)}, true
		}
	}
	if id := b.pairs.seedOf; id != "" && !b.spectates {
		return botproto.Request{Do: botproto.DoState, Match: id}, true
	}
	switch {
	case b.spectates:
		return b.watch()
	case b.load.isQuiet():
		return botproto.Request{Do: botproto.DoCancel}, !b.calm
	case b.draining || b.playing() >= b.load.cfg.Matches:
		return botproto.Request{}, false
	default:
		return b.start(), true
	}
}

func (b *bot) watch() (botproto.Request, bool) {
	if b.load.isQuiet() || len(b.games) >= watched {
		return botproto.Request{}, false
	}
	id := b.load.pickLive(b.rng.IntN)
	if id == "" || b.games[id] != nil {
		b.pause(lookAgain)
		return botproto.Request{}, false
	}
	return botproto.Request{Do: botproto.DoWatch, Match: id}, true
}

func (b *bot) playing() (n int) {
	for _, g := range b.games {
		if g.begun {
			n++
		}
	}
	return n
}

// start returns a request for a new match, of a random kind unless another bot offers a code.
func (b *bot) start() botproto.Request {
	if o, there := b.load.takeOffer(b.name); there {
		b.joining = o
		return botproto.Request{Do: botproto.DoJoin, Code: o.code}
	}
	switch roll := b.rng.IntN(100); {
	case roll < 20 && b.playing() == len(b.games):
		return botproto.Request{Do: botproto.DoCreate, Variant: b.variant()}
	case roll < 75 && !b.seeking && !b.inPair():
		return botproto.Request{Do: botproto.DoSeek, Rated: true}
	case roll < 75 && !b.seeking:
		return botproto.Request{Do: botproto.DoSeek, Variant: b.variant()}
	default:
		levels := strategy.Levels()
		return botproto.Request{
			Do: botproto.DoComputer, Variant: b.variant(), Level: levels[b.rng.IntN(len(levels))].String(),
		}
	}
}

// variant returns one of five variants, few enough for bots in the queue to be paired.
func (b *bot) variant() string {
	switch roll := b.rng.IntN(10); roll {
	case 0:
		return "tictactoe"
	case 1, 2:
		return fmt.Sprintf("notakto/%d", roll)
	case 3:
		return "notakto/5"
	default:
		return "notakto/3"
	}
}

const (
	again         = 20 * time.Millisecond // pause after a refusal, doubled by each one that is not definite
	doubled       = 6                     // maximum number of doublings
	enough        = 6                     // refusals until the bot may try another server
	maxRejections = 4                     // refusals of DoWatch until the bot drops the match
)

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
		b.pause(again)
	} else {
		b.pause(again << min(b.rejections, doubled))
		b.rejections++
		b.tired = opens(w.Do) || b.rejections%enough == 0 && b.rng.IntN(2) == 0
	}
	switch line.Code {
	case botproto.CodeDraining:
		b.draining = true
	case botproto.CodeAlreadySeeking, botproto.CodeTooMany, botproto.CodeRateLimited, botproto.CodeRated:
		b.pause(time.Second / 2)
	}
	switch w.Do {
	case botproto.DoJoin:
		if !line.Code.IsDefinite() || line.Code == botproto.CodeRateLimited || line.Code == botproto.CodeTooMany {
			b.load.addOffer(b.joining)
		}
	case botproto.DoMove, botproto.DoResign:
		if g := b.games[w.Match]; g != nil {
			g.shown = false
		}
	case botproto.DoState, botproto.DoWatch:
		if b.pairs.seedOf == w.Match && line.Code.IsDefinite() {
			b.pairs.seedOf = ""
		}
		b.handleUnknown(w, line)
	}
}

// opens reports whether a request opens a match. After a refusal that is not definite the match may exist, and only
// the welcome of a new connection lists it.
func opens(do botproto.Verb) bool {
	return slices.Contains(
		[]botproto.Verb{botproto.DoSeek, botproto.DoCreate, botproto.DoJoin, botproto.DoComputer}, do)
}

// handleUnknown counts a refusal to show a match, and drops the match after maxRejections. The checker reads the
// reason from the record.
func (b *bot) handleUnknown(w *botproto.Request, line botproto.Error) {
	g := b.games[w.Match]
	if g == nil || !line.Code.IsDefinite() {
		if b.spectates {
			b.load.removeLive(w.Match)
		}
		return
	}
	g.watched = true
	if w.Do == botproto.DoWatch {
		g.rejections++
	}
	if g.rejections >= maxRejections || b.spectates {
		delete(b.games, w.Match)
		b.load.removeLive(w.Match)
	}
}

func (b *bot) handle(event botproto.Event) {
	switch event := event.(type) {
	case botproto.Welcome:
		b.handleWelcome(event)
	case botproto.Match:
		b.handleMatch(event)
	case botproto.Table:
		b.handleTable(event)
	case botproto.Move:
		b.handleMove(event)
	case botproto.End:
		b.pairs.ended(event, b.games[event.Match])
		delete(b.games, event.Match)
		b.load.removeLive(event.Match)
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

func (b *bot) handleWelcome(line botproto.Welcome) {
	b.pairs.between = ""
	b.listed = append(make([]match.ID, 0, 1), line.Matches...)
	for _, id := range line.Matches {
		if b.games[id] == nil {
			b.games[id] = &game{id: id}
		}
	}
	b.late.Reset(never)
	b.pause(0)
	b.resting = false
	select {
	case b.load.back <- struct{}{}:
	default:
	}
}

func (b *bot) handleMatch(line botproto.Match) {
	if b.pairs.shown(line) && line.Over { // an answer about an ended game of a pair
		delete(b.games, line.Match)
		b.answered(botproto.DoState, botproto.DoWatch)
		return
	}
	g := b.games[line.Match]
	if g == nil {
		g = &game{id: line.Match}
		b.games[g.id] = g
		b.seeking = b.seeking && (isSecondGame(line) || b.request != nil && slices.Contains(
			[]botproto.Verb{botproto.DoJoin, botproto.DoComputer, botproto.DoWatch}, b.request.Do))
	}
	g.setState(line)
	g.rejections = 0
	if g.begun && !line.Over {
		b.load.addLive(g.id)
	}
	if w := b.request; w != nil && w.Match != "" && w.Match != line.Match {
		return
	}
	do := b.answered(
		botproto.DoState, botproto.DoWatch, botproto.DoJoin, botproto.DoComputer, botproto.DoCancel)
	if do == botproto.DoCancel {
		b.calm = true
	}
}

// handleTable offers the code of the bot's new private table to other bots.
func (b *bot) handleTable(line botproto.Table) {
	if b.games[line.Match] == nil {
		b.games[line.Match] = &game{id: line.Match, shown: true}
	}
	b.games[line.Match].private = true
	b.load.addOffer(offer{line.Code, b.name})
	b.answered(botproto.DoCreate)
}

func (b *bot) handleMove(line botproto.Move) {
	g := b.games[line.Match]
	if g == nil {
		return
	}
	g.play(line.Move)
	if w := b.request; w != nil && w.Do == botproto.DoMove && w.Match == line.Match && line.Seat == g.seat {
		b.answered(botproto.DoMove)
	}
}

// answered ends the wait for an answer if the request's verb is one of dos, and returns the verb. Otherwise it
// returns "".
func (b *bot) answered(dos ...botproto.Verb) botproto.Verb {
	if b.request == nil || !slices.Contains(dos, b.request.Do) {
		return ""
	}
	do := b.request.Do
	b.request, b.rejections = nil, 0
	b.late.Reset(never)
	if think := b.load.cfg.Think; think > 0 {
		b.pause(time.Duration(b.rng.Int64N(int64(think))) + 1)
	}
	return do
}
