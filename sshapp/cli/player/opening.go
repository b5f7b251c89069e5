package player

import (
	"context"

	"notakto/rules/opening"
	"notakto/sshapp/cli"
)

const aboutOpening = `Draw the two positions that the games of a rated pair begin from.

The same seed always draws the same positions. A server shows the hash of the seed before a rated pair begins, and the
seed when the pair is over: compare the two to see that the server has not chosen the positions.

A position is written as for analyse.`

// drawnOpenings is the answer of "opening".
type drawnOpenings struct {
	Seed     string   `json:"seed"`
	Hash     string   `json:"hash"`
	Openings []string `json:"openings"`
}

func (e Env) opening() cli.Command {
	return cli.Command{
		Use: "opening SEED", Short: "Draw the two positions of a rated pair from a seed", Long: aboutOpening, JSON: true,
		Example: e.Name + " opening K7QXV2M4T5B6N8P9R3S1W0Y2Z4",
		Args:    cli.ArgumentRange(1, 1, "one seed, in quotes if it has spaces"),
		Run: func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			seed := args[0]
			if err := opening.CheckSeed(seed); err != nil {
				return cli.Answer{}, cli.Usage(err)
			}
			drawn := drawnOpenings{Seed: seed, Hash: opening.Commitment(seed)}
			if err := e.Server.runInTurn(ctx, func() {
				for _, p := range opening.Draw(seed) {
					drawn.Openings = append(drawn.Openings, p.String())
				}
			}); err != nil {
				return cli.Answer{}, UserError(err, e.Host)
			}
			return cli.Answer{JSON: drawn, Text: func(say cli.Say) {
				say("Hash of the seed: %s", drawn.Hash)
				for i, position := range drawn.Openings {
					say("Opening of game %d: %s", i+1, position)
				}
			}}, nil
		},
	}
}
