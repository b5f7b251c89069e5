package player

import (
	"context"
	"fmt"
	"iter"
	"time"

	"notakto/match"
	"notakto/sshapp/cli"
	"notakto/sshapp/wire"
	"notakto/sshapp/wording"
)

// listedMatch is a match as "matches --json" prints it.
type listedMatch struct {
	Match      match.ID       `json:"match"`
	Variant    string         `json:"variant"`
	Players    [2]wire.Player `json:"players"`
	Plies      int            `json:"plies"`
	Spectators int            `json:"spectators"`
	MoveBy     time.Time      `json:"move_by,omitzero"` // only with a clock of days a move
}

func (e Env) matches() cli.Command {
	return cli.Command{
		Use: "matches", Short: "List the matches in progress, those of people first", JSON: true,
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			matches := e.Server.Manager.List()
			// The JSON is written match by match. The text of all matches would take more memory while a slow client reads.
			var array iter.Seq[any] = func(yield func(any) bool) {
				for _, m := range matches {
					one := listedMatch{Match: m.ID, Variant: m.Variant.String(), Plies: m.Plies, Spectators: m.Spectators}
					if !m.MoveBy.IsZero() {
						one.MoveBy = m.MoveBy.UTC().Truncate(time.Second)
					}
					for i, p := range m.Players {
						one.Players[i] = wire.NewPlayer(p)
					}
					if !yield(one) {
						return
					}
				}
			}
			return cli.Answer{JSON: array, Text: func(say cli.Say) {
				if len(matches) == 0 {
					say("No open match is in progress.")
					return
				}
				ids, games := len("MATCH"), len("GAME")
				for _, m := range matches {
					ids, games = max(ids, len(m.ID)), max(games, len(m.Variant.String()))
				}
				// The names come last, because a name may be wider than its number of characters.
				row := fmt.Sprintf("%%-%ds  %%-%ds  %%-5v  %%-8v  %%s", ids, games)
				say(row, "MATCH", "GAME", "MOVES", "WATCHING", "PLAYERS")
				for _, m := range matches {
					say(row, m.ID, m.Variant, m.Plies, m.Spectators,
						wording.Name(m.Players[0])+" against "+wording.Name(m.Players[1]))
				}
			}}, nil
		}),
	}
}
