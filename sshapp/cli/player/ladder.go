package player

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/store"
	"notakto/sshapp/wording"
)

const aboutLadder = `List the players with the best ratings: those who have played eight rated pairs or more,
one of them in the last month, and whose rating is certain enough.

A rated pair is two games, of which each player begins one.`

// ladderJSON is a player as `ladder --json` prints one. Its fields and their order are a promise (docs/commands.md).
type ladderJSON struct {
	Rank      int            `json:"rank"`
	ID        match.PlayerID `json:"id"`
	Name      string         `json:"name"`
	Rating    int            `json:"rating"`
	Deviation int            `json:"deviation"`
	Pairs     int            `json:"pairs"`
}

func newLadder(e Env) *cobra.Command {
	asJSON, bots, limit := false, false, defaultLimit
	cmd := &cobra.Command{
		Use:     "ladder",
		Short:   "List the players with the best ratings",
		Long:    aboutLadder,
		Example: "ssh HOST ladder\nssh HOST ladder --limit 5 --json",
		Args:    Arguments(0, 0, "no word"),
	}
	e.readsHistory(cmd, func(cmd *cobra.Command, _ []string, h *store.History) error {
		pool := match.PeoplePool
		if bots {
			pool = match.BotPool
		}
		return printLadder(cmd.OutOrStdout(), h.Ladder(pool, 0, limit), asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	cmd.Flags().BoolVar(&bots, "bots", bots, "the ladder of programs that play as bots")
	addLimit(cmd, &limit, "players")
	return cmd
}

func printLadder(w io.Writer, all []history.Standing, asJSON bool) error {
	if asJSON {
		lines := make([]ladderJSON, 0, len(all))
		for _, s := range all {
			lines = append(lines, ladderJSON{
				Rank: s.Rank, ID: s.Player.ID, Name: s.Player.Name, Rating: s.Rating.Value(), Deviation: s.Rating.WholeDeviation(),
				Pairs: s.Won + s.Split + s.Lost,
			})
		}
		return writeJSON(w, lines)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, wording.NoLadder)
		return err
	}
	for _, s := range all {
		if _, err := fmt.Fprintln(w, wording.LadderLine(s)); err != nil {
			return err
		}
	}
	return nil
}
