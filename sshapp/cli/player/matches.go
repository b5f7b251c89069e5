package player

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/sshapp/wording"
)

// listed is a match as `matches --json` prints it. Its fields and their order are a promise (docs/commands.md).
type listed struct {
	Match      match.ID  `json:"match"`
	Variant    string    `json:"variant"`
	Players    [2]seated `json:"players"`
	Plies      int       `json:"plies"`
	Spectators int       `json:"spectators"`
	MoveBy     time.Time `json:"move_by,omitzero"` // with a clock of days
}

type seated struct {
	ID    match.PlayerID `json:"id"`
	Name  string         `json:"name"`
	Guest bool           `json:"guest"`
}

func seatedAs(p match.Player) seated { return seated{p.ID, p.Name, p.Guest} }

func newMatches(e Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "matches",
		Short: "List the matches in progress, those of people first",
		Args:  NoArguments,
		RunE: e.needsServer(func(cmd *cobra.Command, _ []string) error {
			matches := e.Server.Manager.List()
			if asJSON {
				return writeMatches(cmd.OutOrStdout(), matches)
			}
			return printMatches(cmd.OutOrStdout(), matches)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

// writeMatches writes a JSON array, match by match: a client may take long to read it, and the text of all matches is
// larger than the matches.
func writeMatches(w io.Writer, matches []match.Summary) error {
	before := "["
	for _, m := range matches {
		entry := listed{Match: m.ID, Variant: m.Variant.String(), Plies: m.Plies, Spectators: m.Spectators}
		if !m.MoveBy.IsZero() {
			entry.MoveBy = m.MoveBy.UTC().Truncate(time.Second)
		}
		for i, p := range m.Players {
			entry.Players[i] = seatedAs(p)
		}
		text, err := json.Marshal(entry)
		if err != nil {
			return fmt.Errorf("write JSON: %w", err)
		}
		if _, err := fmt.Fprintf(w, "%s%s", before, text); err != nil {
			return err
		}
		before = ","
	}
	if len(matches) > 0 {
		before = ""
	}
	_, err := fmt.Fprintln(w, before+"]")
	return err
}

// printMatches writes a line a match, one after the other as writeMatches does. The names come last: a name may be
// wider than its number of characters.
func printMatches(w io.Writer, matches []match.Summary) error {
	if len(matches) == 0 {
		_, err := fmt.Fprintln(w, "No open match is in progress.")
		return err
	}
	ids, games := len("MATCH"), len("GAME")
	for _, m := range matches {
		ids, games = max(ids, len(m.ID)), max(games, len(m.Variant.String()))
	}
	row := fmt.Sprintf("%%-%ds  %%-%ds  %%-5v  %%-8v  %%s\n", ids, games)
	if _, err := fmt.Fprintf(w, row, "MATCH", "GAME", "MOVES", "WATCHING", "PLAYERS"); err != nil {
		return err
	}
	for _, m := range matches {
		names := wording.Name(m.Players[0]) + " against " + wording.Name(m.Players[1])
		if _, err := fmt.Fprintf(w, row, m.ID, m.Variant, m.Plies, m.Spectators, names); err != nil {
			return err
		}
	}
	return nil
}
