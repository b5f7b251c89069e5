package player

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"notakto/rules/opening"
)

const aboutOpening = `Draw the two positions that the games of a rated pair begin from.

The same seed always draws the same positions. A server shows the hash of the seed before a rated pair begins, and the
seed when the pair is over: compare them to see that the positions were not chosen.

A position is written as for analyse.`

// drawnOpenings is what `opening --json` prints. Its fields and their order are a promise (docs/commands.md).
type drawnOpenings struct {
	Seed     string   `json:"seed"`
	Hash     string   `json:"hash"`
	Openings []string `json:"openings"`
}

func newOpening(e Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "opening SEED",
		Short:   "Draw the two positions of a rated pair from a seed",
		Long:    aboutOpening,
		Example: e.Name + " opening K7QXV2M4T5B6N8P9R3S1W0Y2Z4",
		Args:    Arguments(1, 1, "one seed, in quotes if it has spaces"),
		RunE: func(cmd *cobra.Command, args []string) error {
			drawn, err := drawOpenings(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return RuntimeError(writeJSON(cmd.OutOrStdout(), drawn))
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), drawn)
			return RuntimeError(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

func drawOpenings(seed string) (drawnOpenings, error) {
	if err := opening.Check(seed); err != nil {
		return drawnOpenings{}, err
	}
	drawn := drawnOpenings{Seed: seed, Hash: opening.Hash(seed)}
	for _, p := range opening.Draw(seed) {
		drawn.Openings = append(drawn.Openings, p.String())
	}
	return drawn, nil
}

// String is the openings in words, a line each.
func (d drawnOpenings) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "Hash of the seed: %s\n", d.Hash)
	for i, position := range d.Openings {
		fmt.Fprintf(&text, "Opening of game %d: %s\n", i+1, position)
	}
	return text.String()
}
