package player

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/match/account"
	"notakto/rules"
	"notakto/sshapp/cli"
	"notakto/sshapp/client"
	"notakto/sshapp/plain"
	"notakto/sshapp/wire"
	"notakto/sshapp/wording"
)

const aboutMoves = `List the matches that wait for your move, the most urgent first.

Play a move with the command move.`

const aboutMove = `Play one move in a match of yours, and print the boards.

MATCH is the name of the match as the command moves lists it. Its first characters are enough if no other match of yours
begins with them.`

const aboutResults = `List the results that came while you were away, the newest first. A challenge that was declined,
withdrawn or expired is one of them.

They stay until you have seen them: in the game, or with --seen.`

// waitingJSON is a match as "moves --json" prints it.
type waitingJSON struct {
	Match    match.ID  `json:"match"`
	Variant  string    `json:"variant"`
	Clock    string    `json:"clock"`
	Rated    bool      `json:"rated"`
	Opponent namedJSON `json:"opponent"`
	Plies    int       `json:"plies"`
	Position string    `json:"position"`
	Due      time.Time `json:"due,omitzero"` // when the player loses without a move
}

// movedJSON is the answer of "move".
type movedJSON struct {
	Match    match.ID           `json:"match"`
	Ply      int                `json:"ply"`
	Seat     rules.Side         `json:"seat"`
	Move     string             `json:"move"`
	Position string             `json:"position"`
	Turn     rules.Side         `json:"turn"`             // 0 once the match is over
	Due      time.Time          `json:"due,omitzero"`     // when the player to move loses
	Winner   rules.Side         `json:"winner"`           // 0 for a match in progress, and a draw
	Reason   string             `json:"reason,omitempty"` // only of a match that is over
	Rating   *wire.RatingChange `json:"rating,omitempty"` // only at the end of a rated pair
}

// unseenJSON is a result as "results --json" prints it.
type unseenJSON struct {
	historyJSON
	Rating *wire.RatingChange `json:"rating,omitempty"`
}

// forAccount is onServer for a command that a guest cannot use.
func (e Env) forAccount(do cli.Action) cli.Action {
	return e.onServer(func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
		if e.Server.Player.Guest {
			return cli.Answer{}, account.ErrGuest
		}
		return do(ctx, c, args)
	})
}

// dueTime returns a deadline as JSON has it.
func dueTime(at time.Time) time.Time { return at.UTC().Truncate(time.Second) }

func (e Env) moves() cli.Command {
	return cli.Command{
		Use: "moves", Short: "List the matches that wait for your move", Long: aboutMoves, JSON: true,
		Example: "ssh HOST moves\nssh HOST moves --json",
		Run: e.forAccount(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			p, now := e.Server.Player.ID, e.Server.Manager.Now()
			waiting := client.New(e.Server.Manager).WaitingMatches(p)
			lines := make([]waitingJSON, len(waiting))
			for i, o := range waiting {
				opponent := o.Opponent(p)
				lines[i] = waitingJSON{
					Match: o.ID, Variant: o.Variant.String(), Clock: o.Clock.String(), Rated: o.Pool.IsRated(),
					Opponent: namedJSON{opponent.ID, opponent.Name}, Plies: o.Plies, Position: o.Position.String(),
					Due: dueTime(o.DueAt()),
				}
			}
			return cli.Answer{JSON: lines, Text: func(say cli.Say) {
				if len(waiting) == 0 {
					say("No match waits for your move.")
				}
				width := 0
				for _, o := range waiting {
					width = max(width, len(wording.Terms(o.Terms)))
				}
				for _, o := range waiting {
					left := "no limit"
					if !o.Clock.IsNone() {
						left = "the clock runs"
					}
					if at := o.DueAt(); !at.IsZero() {
						left = wording.ClockLeft(at.Sub(now)) + " left"
					}
					if !o.MoveBy.IsZero() {
						left = wording.DaysLeft(o.DaysLeft(now)) + " left"
					}
					opponent := wording.Name(o.Opponent(p))
					say("%s  %-*s  %-25s  against %s", o.ID, width, wording.Terms(o.Terms), left, opponent)
				}
			}}, nil
		}),
	}
}

func (e Env) move() cli.Command {
	return cli.Command{
		Use: "move MATCH MOVE", Short: "Play one move in a match of yours", Long: aboutMove, JSON: true,
		Example: "ssh HOST move c6zl3rq7s7 B5\nssh HOST move c6 B5 --json",
		Args:    cli.ArgumentRange(2, 2, "the name of a match and a move"),
		Run: e.forAccount(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			s, session := e.Server, client.New(e.Server.Manager)
			defer session.Close()
			id, err := s.ownMatch(args[0])
			if err != nil {
				return cli.Answer{}, err
			}
			table, err := session.Sit(ctx, id, s.Player.ID)
			switch {
			case errors.Is(err, match.ErrNoSuchMatch):
				return cli.Answer{}, unknownMatchError(id)
			case err != nil:
				return cli.Answer{}, err
			}
			move, err := table.Variant.ParseMove(args[1])
			if err != nil {
				return cli.Answer{}, cli.Usage(errors.New(err.Error())) // the text names the word
			}
			ply := len(table.Moves) + 1
			if err := table.Play(ctx, move); err != nil {
				return cli.Answer{}, err
			}
			for len(table.Moves) < ply {
				select {
				case snapshot, open := <-table.Snapshots():
					if table.Take(snapshot, open); !open {
						return cli.Answer{}, match.ErrClosed
					}
				case <-ctx.Done():
					return cli.Answer{}, context.Cause(ctx)
				}
			}
			pair, standing, isRated := session.RatedPair(ctx, s.History, table.State, s.Player.ID)
			answer := movedJSON{
				Match: id, Ply: ply, Seat: table.Side, Move: table.Variant.FormatMove(move), Turn: table.Turn(),
				Position: table.Position.String(), Due: dueTime(table.MoveBy), Winner: table.Outcome.Winner,
			}
			if table.IsOver() {
				answer.Reason, answer.Due = table.Outcome.Reason.String(), time.Time{}
			}
			if isRated {
				answer.Rating = wire.NewRatingChange(pair)
			}
			lines := plain.MoveText(table, ply, s.Manager.Now())
			return cli.Answer{JSON: answer, Text: func(say cli.Say) {
				for _, line := range lines {
					say("%s", line)
				}
				if isRated {
					say("Your rating: %s.", wording.RatedPairLine(pair, standing))
				}
			}}, nil
		}),
	}
}

// ownMatch returns the player's unfinished match with an ID that begins with name. Without such a match it returns name
// itself.
func (s *Server) ownMatch(name string) (match.ID, error) {
	found := slices.DeleteFunc(slices.Clone(s.Manager.PlayerMatches(s.Player.ID)), func(id match.ID) bool {
		return !strings.HasPrefix(string(id), strings.ToLower(name))
	})
	switch len(found) {
	case 0:
		return match.ID(name), nil
	case 1:
		return found[0], nil
	default:
		return "", fmt.Errorf("%d of your matches begin with %.40q: add more of the name", len(found), name)
	}
}

func (e Env) results() cli.Command {
	seen := false
	return cli.Command{
		Use: "results", Short: "List the results that came while you were away", Long: aboutResults, JSON: true,
		Example: "ssh HOST results\nssh HOST results --json --seen",
		Flags: func(f *pflag.FlagSet) {
			f.BoolVar(&seen, "seen", seen, "do not list these results again")
		},
		Run: e.forAccount(func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
			h, p := e.Server.History, e.Server.Player.ID
			if h == nil {
				return cli.Answer{}, errNoHistory
			}
			unseen, err := h.Unseen(ctx, p)
			if err == nil && seen {
				err = h.MarkSeen(ctx, p, unseen...)
			}
			lines := make([]unseenJSON, len(unseen))
			for i, line := range newHistory(unseen) {
				lines[i] = unseenJSON{historyJSON: line}
				if unseen[i].IsVoid() {
					lines[i].Result = "cancelled"
				}
				if pair := unseen[i].Pair; pair.Match != "" {
					lines[i].Rating = wire.NewRatingChange(pair)
				}
			}
			return cli.Answer{JSON: lines, Text: func(say cli.Say) {
				if len(unseen) == 0 {
					say("You have seen all results.")
				}
				for _, r := range unseen {
					day := r.Ended.UTC().Format(time.DateOnly)
					say("%s  %s  %s", r.Match, day, wording.EndedText(r, r.Opponent.Name))
				}
			}}, err
		}),
	}
}
