package player

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/cli"
	"notakto/sshapp/client"
	"notakto/sshapp/picture"
	"notakto/sshapp/wire"
	"notakto/sshapp/wording"
)

const aboutShow = `Print the record of a finished match: its variant and players, each move with the time that it
took, and how it ended.`

// recordJSON is the answer of "show".
type recordJSON struct {
	Match   match.ID       `json:"match"`
	Variant string         `json:"variant"`
	Clock   string         `json:"clock"`
	Rated   *pairJSON      `json:"rated,omitempty"`
	Players [2]wire.Player `json:"players"`
	Moves   []wire.Move    `json:"moves"`
	Winner  rules.Side     `json:"winner"`
	Reason  string         `json:"reason"`
	Begun   time.Time      `json:"begun"`
	Ended   time.Time      `json:"ended"`
}

// pairJSON is the rated pair of a match. The seed is missing until the pair is over.
type pairJSON struct {
	Pair    match.ID    `json:"pair"`
	Game    int         `json:"game"`
	Opening openingJSON `json:"opening"`
}

type openingJSON struct {
	Position string `json:"position"`
	wire.Opening
}

func (e Env) show() cli.Command {
	return cli.Command{
		Use: "show MATCH", Short: "Print the record of a finished match", Long: aboutShow, JSON: true,
		Example: "ssh HOST show c6zl3rq7s7", Args: cli.ArgumentRange(1, 1, "the name of a finished match"),
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			states, err := e.Server.finishedStates(ctx, match.ID(args[0]))
			if err != nil {
				return cli.Answer{}, err
			}
			r := newRecord(states)
			return cli.Answer{JSON: r, Text: func(say cli.Say) { r.describe(say, &states[len(states)-1]) }}, nil
		}),
	}
}

// newRecord returns the record of a finished match. states holds the state after each event.
func newRecord(states []match.State) recordJSON {
	last := &states[len(states)-1]
	r := recordJSON{
		Match: last.ID, Variant: last.Variant.String(), Clock: last.Clock.String(), Players: wire.NewPlayers(last),
		Moves: wire.NewMoves(states), Winner: last.Outcome.Winner, Reason: last.Outcome.Reason.String(),
		Ended: last.EndedAt.UTC().Truncate(time.Millisecond),
	}
	if last.Pool.IsRated() {
		r.Rated = &pairJSON{last.PairID(), last.Game(), openingJSON{
			last.Start.String(), wire.Opening{Hash: last.OpeningHash(), Seed: last.OpeningSeed()},
		}}
	}
	if i := slices.IndexFunc(states, match.State.HasStarted); i >= 0 {
		r.Begun = states[i].TurnSince.UTC().Truncate(time.Millisecond)
	}
	return r
}

// describe says the record in sentences. last is the last state of the match.
func (r recordJSON) describe(say cli.Say, last *match.State) {
	say("%s, %s", r.Match, wording.Variant(last.Variant))
	if p := r.Rated; p != nil {
		seed := ""
		if p.Opening.Seed != "" {
			seed = ", seed " + p.Opening.Seed
		}
		say("rated, game %d of the pair %s\nopening %s, hash %s%s", p.Game, p.Pair, p.Opening.Position, p.Opening.Hash, seed)
	}
	say("%s against %s, %s", r.Players[0].Name, r.Players[1].Name, wording.Time(r.Begun))
	for _, m := range r.Moves {
		say("%s", m.Text(r.Players[m.Seat-1].Name))
	}
	result := wording.Result(last, wording.Name)
	if last.Outcome.IsVoid() {
		result = "Cancelled"
	}
	say("%s. %s", result, wording.Reason(last, func(side rules.Side) string { return r.Players[side-1].Name }))
}

const aboutCard = `Print a picture (SVG) of the end of a match, for a web page or a message.

Its colours follow the reader's preference for dark or light. It shows who was winning with perfect play, so a player
of a rated pair must wait until the pair is over.`

const aboutCast = `Print a match as an asciicast, version 3: each move as a spectator saw it, at the pace of the match.

Save it, and play it with asciinema. No pause is longer than two seconds. Its end shows who was winning with perfect
play, so a player of a rated pair must wait until the pair is over.`

func (e Env) card() cli.Command {
	return e.withPicture(cli.Command{
		Use: "card MATCH", Short: "Print a picture of how a match ended", Long: aboutCard,
		Example: "ssh HOST card c6zl3rq7s7 >match.svg",
	}, picture.MatchSVG)
}

func (e Env) cast() cli.Command {
	return e.withPicture(cli.Command{
		Use: "cast MATCH", Short: "Print a finished match as an asciicast", Long: aboutCast,
		Example: "ssh HOST cast c6zl3rq7s7 >match.cast",
	}, picture.MatchCast)
}

// withPicture completes cmd with an action that prints a picture of a finished match. draw gets the state after each
// event and the host.
func (e Env) withPicture(cmd cli.Command, draw func([]match.State, string) []byte) cli.Command {
	cmd.Args = cli.ArgumentRange(1, 1, "the name of a finished match")
	cmd.Run = e.onServer(func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
		states, err := e.Server.finishedStates(ctx, match.ID(args[0]))
		if err == nil {
			err = e.Server.checkAnalysis(states[len(states)-1].Positions()...)
		}
		if err != nil {
			return cli.Answer{}, err
		}
		var picture []byte
		err = e.Server.runInTurn(ctx, func() { picture = draw(states, cmp.Or(e.Host, wording.NoHost)) })
		if err == nil {
			_, err = c.Out.Write(picture)
		}
		return cli.Answer{}, err
	})
	return cmd
}

var errNoOpponentCame = errors.New("the table was closed before an opponent came: no match was played")

// finishedStates returns the states of a finished match, after each of its events up to its end.
func (s *Server) finishedStates(ctx context.Context, id match.ID) ([]match.State, error) {
	table, err := s.spectate(ctx, id)
	if err != nil {
		return nil, err
	}
	defer table.Close()
	all, err := table.History(ctx)
	if err != nil {
		return nil, err
	}
	end := slices.IndexFunc(all, match.State.IsOver)
	if end < 0 {
		return nil, match.ErrNotOver
	}
	if !all[end].HasStarted() {
		return nil, errNoOpponentCame
	}
	return all[:end+1], nil
}

// spectate opens a match for a spectator. The match may be over.
func (s *Server) spectate(ctx context.Context, id match.ID) (*client.Table, error) {
	table, err := client.New(s.Manager).Spectate(ctx, id, s.Player.ID)
	switch {
	case errors.Is(err, match.ErrNoSuchMatch):
		return nil, unknownMatchError(id)
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return table, err
}

// snapshot returns the present state of a match, or the last state of a finished one.
func (s *Server) snapshot(ctx context.Context, id match.ID) (match.State, error) {
	table, err := s.spectate(ctx, id)
	if err != nil {
		return match.State{}, err
	}
	defer table.Close()
	return *table.State, nil
}
