package load

import (
	"math/rand/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// game is a match as one bot knows it, over all connections of the bot until the end of the match.
type game struct {
	id         match.ID
	seat       rules.Side // rules.NoSide for a spectator
	begun      bool       // both players are seated
	private    bool       // a private table that waits for a player with the code
	rated      bool
	shown      bool // this connection has received the state
	watched    bool // DoState was refused, and DoWatch comes next
	rejections int  // refusals of DoWatch
	variant    rules.Variant
	position   rules.Position
}

// setState sets g to a match event. An invalid event is ignored here and reported by the checker.
func (g *game) setState(line botproto.Match) {
	start, err := line.Start()
	if err != nil {
		return
	}
	g.seat, g.begun, g.shown, g.variant, g.position = line.Seat, line.HasStarted(), true, start.Variant(), start
	g.rated = line.Rated
	for _, text := range line.Moves {
		g.play(text)
	}
}

func (g *game) play(text string) {
	m, err := g.variant.ParseMove(text)
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

// choose returns a random move, and prefers moves that kill no board to make matches longer.
func (g *game) choose(rng *rand.Rand) string {
	legal := g.position.LegalMoves()
	m := legal[rng.IntN(len(legal))]
	for range 3 {
		if next, err := g.position.Play(m); err == nil && !next.IsDead(int(m.Board)) {
			break
		}
		m = legal[rng.IntN(len(legal))]
	}
	return g.variant.FormatMove(m)
}

// pairs holds the progress of a bot's rated pair and of the request for the seed of the pair before.
type pairs struct {
	between match.ID // the ended first game, until the second game begins
	seedOf  match.ID // the last game of an ended pair, until its seed is known
}

// shown updates p by a match event of a rated pair, and reports whether line is one.
func (p *pairs) shown(line botproto.Match) bool {
	if !line.Rated || line.Pair == nil || line.Opening == nil || !line.Seat.IsValid() {
		return false
	}
	switch {
	case isSecondGame(line) && p.between == line.Pair.ID:
		p.between = ""
	case line.Over && line.Pair.Game == 1 && line.Opening.Seed == "": // the welcome lists it
		p.between = line.Match
	}
	if line.Over && p.seedOf == line.Match {
		p.seedOf = ""
	}
	return true
}

// ended updates p by the end of g. g may be nil or not rated.
func (p *pairs) ended(line botproto.End, g *game) {
	switch {
	case g == nil || !g.rated || !g.seat.IsValid() || line.Winner == rules.NoSide:
	case line.PairResult != nil:
		p.seedOf = line.Match
	default:
		p.between = line.Match
	}
}

func isSecondGame(line botproto.Match) bool { return line.Pair != nil && line.Pair.Game == 2 }

func (b *bot) inPair() bool {
	for _, g := range b.games {
		if g.rated {
			return true
		}
	}
	return b.pairs.between != ""
}
