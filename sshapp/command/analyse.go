package command

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
)

const aboutAnalyse = `Say who wins with perfect play, and judge every move.

A position is nine characters a board, top left cell first, the boards joined by /: X for a cross, . for a free cell,
and O for a nought of tic-tac-toe. A game is its variant, a colon and its moves. Lower case will do. A single board
without a nought counts as Notakto.

With --match a match of the server's that is over is gone through move by move.

A server analyses nothing for a player who plays a rated pair.`

var errMatchAndMore = errors.New("--match names all that is to be analysed: leave the rest out")

func newAnalyse(d Env) *cobra.Command {
	asJSON, id := false, ""
	cmd := &cobra.Command{
		Use:     "analyse POSITION|GAME",
		Aliases: []string{"analyze"},
		Short:   "Say who wins with perfect play, and every move that wins",
		Long:    aboutAnalyse,
		Example: d.Name + " analyse X......../........./...X.....\n" + d.Name + " analyse notakto/3: A5 B5 C1\n" +
			d.Name + " analyse tictactoe: 5 1 --json",
		Args: func(cmd *cobra.Command, args []string) error {
			switch given := cmd.Flags().Changed("match"); {
			case given && len(args) > 0:
				return errMatchAndMore
			case given:
				return nil
			}
			return Arguments(1, math.MaxInt, "a position or a game")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := d.Server.mayAnalyse(); err != nil {
				return RuntimeError(userError(err))
			}
			if cmd.Flags().Changed("match") {
				return d.analyseMatch(cmd, match.ID(id), asJSON)
			}
			p, err := readPosition(strings.Join(args, " "))
			if err != nil {
				return err
			}
			a := strategy.Analyse(p)
			if asJSON {
				return RuntimeError(writeJSON(cmd.OutOrStdout(), analysisOf(a)))
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), inWords(a))
			return RuntimeError(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	cmd.Flags().StringVar(&id, "match", id, "go through a match that is over, by its `name`; asked of a server")
	d.completeFlag(cmd, "match")
	return cmd
}

// mayAnalyse returns why the player may not be told what perfect play says: [match.ErrRated]. Without a server everyone
// may.
func (h *Server) mayAnalyse() error {
	if h != nil && manager.PlaysRated(h.Manager, h.Player.ID) {
		return match.ErrRated
	}
	return nil
}

// readPosition reads a position, or a game for the position that it has come to.
func readPosition(text string) (rules.Position, error) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, ":") {
		game, err := rules.ParseGame(text)
		return game.Position, err
	}
	if text == "" || strings.Trim(text, "XxOo./") != "" && !strings.ContainsAny(text, "./") {
		return rules.Position{}, fmt.Errorf("%.80q is neither a position, such as X......../........., nor a game, "+
			"such as notakto/2: A5 B1", text)
	}
	return rules.ParsePosition(text)
}
