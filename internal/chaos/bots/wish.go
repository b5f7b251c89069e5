package bots

import (
	"fmt"
	"slices"
	"time"

	"notakto/internal/chaos/history"
)

const (
	watched   = 2 // matches that a spectator looks on at
	lookAgain = 100 * time.Millisecond
)

// next is what the bot wants now.
func (b *bot) next() (history.Line, bool) {
	for id, g := range b.games {
		if !g.shown {
			do := "watch"
			if slices.Contains(b.listed, id) && !g.watched {
				do = "state"
			}
			return history.Line{Do: do, Match: id}, true
		}
	}
	for id, g := range b.games {
		switch {
		case !g.isMyTurn():
		case b.rng.IntN(200) == 0, b.crowd.cfg.Style == Hasty && b.rng.IntN(4) == 0:
			return history.Line{Do: "resign", Match: id}, true
		default:
			return history.Line{Do: "move", Match: id, Move: g.choose(b.rng)}, true
		}
	}
	switch {
	case b.looksOn:
		return b.watch()
	case b.crowd.isQuiet():
		return history.Line{Do: "cancel"}, !b.calm
	case b.draining || b.playing() >= b.crowd.cfg.Matches || b.seeking && b.crowd.cfg.Style == Queuing:
		return history.Line{}, false
	default:
		return b.start(), true
	}
}

func (b *bot) watch() (history.Line, bool) {
	if b.crowd.isQuiet() || len(b.games) >= watched {
		return history.Line{}, false
	}
	id := b.crowd.sight(b.rng.IntN)
	if id == "" || b.games[id] != nil {
		b.pause(lookAgain)
		return history.Line{}, false
	}
	return history.Line{Do: "watch", Match: id}, true
}

// playing is how many matches the bot has on; a table that waits is none.
func (b *bot) playing() (n int) {
	for _, g := range b.games {
		if g.begun {
			n++
		}
	}
	return n
}

// start is a new match, in one of the ways in which there can be one.
func (b *bot) start() history.Line {
	if b.crowd.cfg.Style == Queuing {
		return history.Line{Do: "seek", Variant: "notakto/1"}
	}
	if o, there := b.crowd.take(b.name); there {
		b.joining = o
		return history.Line{Do: "join", Code: o.code}
	}
	switch roll := b.rng.IntN(100); {
	case roll < 20 && b.playing() == len(b.games):
		return history.Line{Do: "create", Variant: b.variant()}
	case roll < 75 && !b.seeking:
		return history.Line{Do: "seek", Variant: b.variant()}
	default:
		levels := []string{"random", "student", "centre", "club", "perfect"}
		return history.Line{Do: "computer", Variant: b.variant(), Level: levels[b.rng.IntN(len(levels))]}
	}
}

// variant is one of few, so that in the queue one meets somebody.
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
