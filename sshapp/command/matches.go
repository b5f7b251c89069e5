package command

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"notakto/match"
)

// listed is a match as `matches --json` prints it. Its fields and their order are a promise (docs/commands.md).
type listed struct {
	Match      match.ID  `json:"match"`
	Variant    string    `json:"variant"`
	Players    [2]seated `json:"players"`
	Plies      int       `json:"plies"`
	Spectators int       `json:"spectators"`
}

type seated struct {
	ID    match.PlayerID `json:"id"`
	Name  string         `json:"name"`
	Guest bool           `json:"guest"`
}

func seatedAs(p match.Player) seated { return seated{p.ID, p.Name, p.Guest} }

func newMatches(d Door) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "matches",
		Short: "List the matches in progress, the busiest first",
		Args:  NoArguments,
		RunE: d.needsServer(func(cmd *cobra.Command, _ []string) error {
			matches := d.House.Manager.List()
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), list(matches))
			}
			return table(cmd.OutOrStdout(), matches)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

// list is never nil, which JSON would have as null.
func list(matches []match.Summary) []listed {
	all := make([]listed, 0, len(matches))
	for _, m := range matches {
		entry := listed{Match: m.ID, Variant: m.Variant.String(), Plies: m.Plies, Spectators: m.Spectators}
		for i, p := range m.Players {
			entry.Players[i] = seatedAs(p)
		}
		all = append(all, entry)
	}
	return all
}

// table has the names last: they may be wider than they are long, and nothing stands behind them.
func table(w io.Writer, matches []match.Summary) error {
	if len(matches) == 0 {
		_, err := fmt.Fprintln(w, "No match is in progress.")
		return err
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "MATCH\tGAME\tMOVES\tWATCHING\tPLAYERS")
	for _, m := range matches {
		fmt.Fprintf(columns, "%s\t%s\t%d\t%d\t%s\n", m.ID, m.Variant, m.Plies, m.Spectators, m.Players[0].Name+" against "+m.Players[1].Name)
	}
	return columns.Flush()
}
