package load

import (
	"fmt"
	"slices"
	"time"

	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
)

const (
	watched   = 2 // matches that a spectator watches
	lookAgain = 100 * time.Millisecond
)

// next returns the bot's next request.
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
	id := b.load.sight(b.rng.IntN)
	if id == "" || b.games[id] != nil {
		b.pause(lookAgain)
		return botproto.Request{}, false
	}
	return botproto.Request{Do: botproto.DoWatch, Match: id}, true
}

// playing returns the number of the bot's started matches.
func (b *bot) playing() (n int) {
	for _, g := range b.games {
		if g.begun {
			n++
		}
	}
	return n
}

// start returns a request for a new match, in one of the possible ways.
func (b *bot) start() botproto.Request {
	if o, there := b.load.take(b.name); there {
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

// variant returns one of a few variants, so that bots in the queue are paired.
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
