package load

import (
	"slices"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
)

// maxMatches is the number of matches that a bot plays at once.
const maxMatches = 2

// game is a match as one bot knows it, over all connections of the bot until the end of the match.
type game struct {
	seat       rules.Side // rules.NoSide before the first state
	begun      bool       // both players are seated
	private    bool       // a private table that waits for a player with the code
	pair       match.ID   // of a rated game, the ID of the first game
	shown      bool       // this connection has received the state
	watched    bool       // DoState was refused, and DoWatch comes next
	rejections int        // refusals of DoWatch
	position   rules.Position
}

// setState sets g to a match event. The store's check reports an invalid one.
func (g *game) setState(line botproto.Match) {
	start, err := line.Start()
	if err != nil {
		return
	}
	g.seat, g.begun, g.shown, g.position, g.rejections = line.Seat, line.HasStarted(), true, start, 0
	if line.Pair != nil {
		g.pair = line.Pair.ID
	}
	for _, text := range line.Moves {
		g.play(text)
	}
}

func (g *game) play(text string) {
	m, err := g.position.Variant().ParseMove(text)
	if err != nil {
		return
	}
	if next, err := g.position.Play(m); err == nil {
		g.position = next
	}
}

func (g *game) isMyTurn() bool {
	return g.shown && g.begun && g.seat.IsValid() && !g.position.Outcome().IsOver() && g.position.Turn() == g.seat
}

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
	playing, inPair := 0, b.between != ""
	for id, g := range b.games {
		if g.isMyTurn() {
			return b.move(id, g.position), true
		}
		if g.begun {
			playing++
		}
		inPair = inPair || g.pair != ""
	}
	switch {
	case b.load.isQuiet():
		return botproto.Request{Do: botproto.DoCancel}, !b.calm
	case b.draining || playing >= maxMatches:
		return botproto.Request{}, false
	}
	if o, there := b.load.takeOffer(b); there {
		b.joining = o
		return botproto.Request{Do: botproto.DoJoin, Code: o.code}, true
	}
	// Few variants, so that bots in the queue are paired.
	variants := [...]string{"tictactoe", "notakto/1", "notakto/2", "notakto/5", "notakto/3", "notakto/3", "notakto/3"}
	variant := variants[b.rng.IntN(len(variants))]
	switch roll := b.rng.IntN(100); {
	case roll < 20 && playing == len(b.games):
		return botproto.Request{Do: botproto.DoCreate, Variant: variant}, true
	case roll < 75 && !b.seeking && !inPair:
		return botproto.Request{Do: botproto.DoSeek, Rated: true}, true
	case roll < 75 && !b.seeking:
		return botproto.Request{Do: botproto.DoSeek, Variant: variant}, true
	default:
		levels := strategy.Levels()
		level := levels[b.rng.IntN(len(levels))].String()
		return botproto.Request{Do: botproto.DoComputer, Variant: variant, Level: level}, true
	}
}

// move returns the request for a random move. It prefers moves that kill no board, which makes matches longer.
func (b *bot) move(id match.ID, at rules.Position) botproto.Request {
	if b.rng.IntN(1000) < b.load.cfg.Resigns {
		return botproto.Request{Do: botproto.DoResign, Match: id}
	}
	legal := at.LegalMoves()
	m := legal[b.rng.IntN(len(legal))]
	for range 3 {
		if at.Kills(m) {
			m = legal[b.rng.IntN(len(legal))]
		}
	}
	return botproto.Request{Do: botproto.DoMove, Match: id, Move: at.Variant().FormatMove(m)}
}
