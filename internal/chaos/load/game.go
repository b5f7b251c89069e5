package load

import (
	"math/rand/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// game is a match as one bot knows it, over all its connections. It is dropped at its end.
type game struct {
	id         match.ID
	seat       rules.Side // rules.Nobody for a spectator
	begun      bool       // both players are seated
	private    bool       // the bot knows a code by which another player can join
	rated      bool
	shown      bool // on this connection
	watched    bool // requesting the state did not help
	rejections int
	variant    rules.Variant
	position   rules.Position
}

// stand sets the game to a match event. Invalid ones are ignored: the checker reads them too.
func (g *game) stand(line botproto.Match) {
	start, err := line.Start()
	if err != nil {
		return
	}
	g.seat, g.begun, g.shown, g.variant, g.position = line.Seat, line.Started(), true, start.Variant(), start
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

// isMyTurn reports whether it is the bot's move.
func (g *game) isMyTurn() bool {
	return g.shown && g.begun && g.seat.Valid() && !g.position.Outcome().Over() && g.position.Turn() == g.seat
}

// choose returns any move, preferably one that kills no board, so that the match lasts.
func (g *game) choose(rng *rand.Rand) string {
	legal := g.position.Legal()
	m := legal[rng.IntN(len(legal))]
	for range 3 {
		if next, err := g.position.Play(m); err == nil && !next.Dead(int(m.Board)) {
			break
		}
		m = legal[rng.IntN(len(legal))]
	}
	return g.variant.FormatMove(m)
}
