package player

import (
	"context"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

const aboutLadder = `List the players with the best ratings.

A player on the ladder has played eight rated pairs or more, one of them in the last month, and has a rating that is
certain enough. A rated pair is two games. Each player starts one of them.`

// ladderJSON is a player on the ladder, as "ladder --json" prints it.
type ladderJSON struct {
	Rank      int            `json:"rank"`
	ID        match.PlayerID `json:"id"`
	Name      string         `json:"name"`
	Rating    int            `json:"rating"`
	Deviation int            `json:"deviation"`
	Pairs     int            `json:"pairs"`
}

func (e Env) ladder() cli.Command {
	bots, limit := false, defaultLimit
	return e.withHistory(cli.Command{
		Use: "ladder", Short: "List the players with the best ratings", Long: aboutLadder, JSON: true,
		Example: "ssh HOST ladder\nssh HOST ladder --limit 5 --json", Args: cli.NoArguments,
		Flags: func(f *pflag.FlagSet) {
			f.BoolVar(&bots, "bots", bots, "list programs that play as bots instead")
			addLimit(f, &limit, "players")
		},
	}, func(_ context.Context, h *store.History, _ []string) (cli.Answer, error) {
		pool := match.PeoplePool
		if bots {
			pool = match.BotPool
		}
		all := h.Ladder(pool, 0, limit)
		lines := make([]ladderJSON, 0, len(all))
		for _, s := range all {
			lines = append(lines, ladderJSON{
				Rank: s.Rank, ID: s.Player.ID, Name: s.Player.Name, Rating: s.Rating.WholePoints(),
				Deviation: s.Rating.WholeDeviation(), Pairs: s.Won + s.Split + s.Lost,
			})
		}
		return cli.Answer{JSON: lines, Text: func(say cli.Say) {
			if len(all) == 0 {
				say("%s", wording.NoLadder)
			}
			for _, s := range all {
				say("%s", wording.LadderLine(s))
			}
		}}, nil
	})
}
