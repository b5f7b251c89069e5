package command

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"notakto/rules"
	"notakto/rules/strategy"
)

const aboutAnalyse = `Say who wins with perfect play, and judge every move.

A position is nine characters a board, top left cell first, the boards joined by /: X for a cross, . for a free cell, and O for a
nought of tic-tac-toe. A game is its variant, a colon and its moves. Lower case will do. A single board without a nought counts as
Notakto.`

func newAnalyse(d Door) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "analyse POSITION|GAME",
		Short:   "Say who wins with perfect play, and every move that wins",
		Long:    aboutAnalyse,
		Example: d.Name + " analyse X......../........./...X.....\n" + d.Name + " analyse notakto/3: A5 B5 C1\n" + d.Name + " analyse tictactoe: 5 1 --json",
		Args:    arguments(1, math.MaxInt, "a position or a game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := readPosition(strings.Join(args, " "))
			if err != nil {
				return err
			}
			a := strategy.Analyse(p)
			if asJSON {
				return Failed(writeJSON(cmd.OutOrStdout(), analysisOf(a)))
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), inWords(a))
			return Failed(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

// readPosition reads a position, or a game for the position that it has come to.
func readPosition(text string) (rules.Position, error) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, ":") {
		game, err := rules.ParseGame(text)
		return game.Position, err
	}
	if text == "" || strings.Trim(text, "XxOo./") != "" && !strings.ContainsAny(text, "./") {
		return rules.Position{}, fmt.Errorf("%.80q is neither a position, such as X......../........., nor a game, such as notakto/2: A5 B1", text)
	}
	return rules.ParsePosition(text)
}
