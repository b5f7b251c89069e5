package player

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/wording"
)

const aboutProfile = `Say what a player's finished matches add up to: yours, or those of the player with a
claimed name or an account's identifier.

The share of winning moves found says how often the player, when able to win whatever the opponent does, made a move
that keeps it so.`

// profileJSON is a profile as `profile --json` prints it. Its fields and their order are a promise (docs/commands.md).
type profileJSON struct {
	ID      match.PlayerID `json:"id"`
	Name    string         `json:"name"`
	Rating  *ratingJSON    `json:"rating"`  // null without a rated pair
	Rank    *int           `json:"rank"`    // null for a player who is not on the ladder
	Players int            `json:"players"` // with a rank
	Pairs   pairsJSON      `json:"pairs"`
	Matches int            `json:"matches"`
	Won     int            `json:"won"`
	Kept    *float64       `json:"kept"`
	Bots    *botsJSON      `json:"bots"` // what the player has played by programs; null without a rated pair
}

// botsJSON is the standing of a player among programs.
type botsJSON struct {
	Rating  *ratingJSON `json:"rating"`
	Rank    *int        `json:"rank"`
	Players int         `json:"players"`
	Pairs   pairsJSON   `json:"pairs"`
}

type pairsJSON struct {
	Won   int `json:"won"`
	Split int `json:"split"`
	Lost  int `json:"lost"`
}

type ratingJSON struct {
	Value       int  `json:"value"`
	Deviation   int  `json:"deviation"`
	Provisional bool `json:"provisional"`
}

func newProfile(e Env) *cobra.Command {
	asJSON := false
	cmd := newRecord(e, &cobra.Command{
		Use:     "profile [NAME]",
		Short:   "Say what a player's finished matches add up to",
		Long:    aboutProfile,
		Example: "ssh HOST profile\nssh HOST profile ann --json",
	}, func(ctx context.Context, w io.Writer, r record) error {
		t, err := r.Totals(ctx, r.player.ID)
		if err != nil {
			return err
		}
		standing, err := r.Standing(ctx, match.PeoplePool, r.player.ID)
		if err != nil {
			return err
		}
		bots, err := r.Standing(ctx, match.BotPool, r.player.ID)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(w, profileOf(r.player, t, standing, bots))
		}
		lines := append([]string{r.player.Name + ", account " + string(r.player.ID)}, wording.Totals(t)...)
		if text := wording.Standing(standing); text != "" {
			lines = append(lines, text)
		}
		if text := wording.Standing(bots); text != "" {
			lines = append(lines, "Among programs: "+text)
		}
		if e.Server != nil && !r.isOwn {
			against, err := r.Against(ctx, e.Server.Player.ID, r.player.ID)
			if err != nil {
				return err
			}
			if against.Matches > 0 {
				lines = append(lines, "You against "+r.player.Name+", "+strings.Join(wording.Totals(against), " "))
			}
		}
		_, err = fmt.Fprintln(w, strings.Join(lines, "\n"))
		return err
	})
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

// profileOf returns the profile of a player who stands at s among people, and at bots among programs.
func profileOf(p match.Player, t history.Totals, s, bots history.Standing) profileJSON {
	profile := profileJSON{
		ID: p.ID, Name: p.Name, Rating: ratingOf(s), Players: s.Players, Pairs: pairsOf(s),
		Matches: t.Matches, Won: t.Won, Rank: rankOf(s),
	}
	if rating := ratingOf(bots); rating != nil {
		profile.Bots = &botsJSON{rating, rankOf(bots), bots.Players, pairsOf(bots)}
	}
	if share, ok := t.Share(); ok {
		share = math.Round(share*1000) / 1000
		profile.Kept = &share
	}
	return profile
}

// ratingOf returns the rating of a player, nil without a rated pair.
func ratingOf(s history.Standing) *ratingJSON {
	if s.Ended.IsZero() {
		return nil
	}
	return &ratingJSON{s.Rating.Value(), s.Rating.WholeDeviation(), s.Rating.Provisional()}
}

// rankOf returns the rank of a player, nil for one who is not on the ladder.
func rankOf(s history.Standing) *int {
	if s.Rank == 0 {
		return nil
	}
	return &s.Rank
}

func pairsOf(s history.Standing) pairsJSON { return pairsJSON{s.Won, s.Split, s.Lost} }
