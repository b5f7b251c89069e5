package load

import (
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// pairs is the rated pair that a bot plays, and the one before.
type pairs struct {
	between match.ID // the first game, while the second one has not begun
	seedOf  match.ID // the last game of a pair, of which the bot asks for the seed
}

// shown processes a match event, and reports whether it is of a rated match.
func (p *pairs) shown(line botproto.Match) bool {
	if !line.Rated || line.Pair == nil || line.Opening == nil || !line.Seat.Valid() {
		return false
	}
	switch {
	case isSecondGame(line) && p.between == line.Pair.ID:
		p.between = ""
	case line.Over && line.Pair.Game == 1 && line.Opening.Seed == "": // listed in the welcome
		p.between = line.Match
	}
	if line.Over && p.seedOf == line.Match {
		p.seedOf = ""
	}
	return true
}

// ended processes the end of a match that a bot plays.
func (p *pairs) ended(line botproto.End, g *game) {
	switch {
	case g == nil || !g.rated || !g.seat.Valid() || line.Winner == rules.Nobody:
	case line.PairResult != nil:
		p.seedOf = line.Match
	default:
		p.between = line.Match
	}
}

func isSecondGame(line botproto.Match) bool { return line.Pair != nil && line.Pair.Game == 2 }

// inPair reports whether the bot plays a rated pair.
func (b *bot) inPair() bool {
	for _, g := range b.games {
		if g.rated {
			return true
		}
	}
	return b.pairs.between != ""
}
