package rules

import (
	"errors"
	"fmt"
	"strings"
)

// ErrBadGame says that a text is not the notation of a game.
var ErrBadGame = errors.New("not a game: write the variant, a colon and the moves, such as notakto/3: A5 B5")

// Game is a variant and the moves played in it, all legal. [ParseGame] makes one.
type Game struct {
	Variant  Variant
	Moves    []Move
	Position Position // after the moves
}

// ParseGame reads a game's notation: "notakto/3: A5 B5 C1". The errors are [ErrBadGame], those of [ParseVariant] and
// [Variant.ParseMove], and the rule that the first illegal move breaks.
func ParseGame(text string) (Game, error) {
	name, list, found := strings.Cut(text, ":")
	if !found {
		return Game{}, fmt.Errorf("%w (not %.40q)", ErrBadGame, text)
	}
	variant, err := ParseVariant(strings.TrimSpace(name))
	if err != nil {
		return Game{}, err
	}
	game := Game{Variant: variant, Position: variant.Start()}
	for i, word := range strings.Fields(list) {
		m, err := variant.ParseMove(word)
		if err == nil {
			game.Position, err = game.Position.Play(m)
		}
		if err != nil {
			return Game{}, fmt.Errorf("move %d, %.20q: %w", i+1, word, err)
		}
		game.Moves = append(game.Moves, m)
	}
	return game, nil
}

// String returns the notation that [ParseGame] reads.
func (g Game) String() string {
	var text strings.Builder
	text.WriteString(g.Variant.String())
	text.WriteByte(':')
	for _, m := range g.Moves {
		text.WriteByte(' ')
		text.WriteString(g.Variant.FormatMove(m))
	}
	return text.String()
}
