package admin

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/cli"
	"notakto/sshapp/wire"
	"notakto/sshapp/wording"
)

// matchArgument describes the argument MATCH in an error.
const matchArgument = "the name of a match, as match list prints it"

// Match is a match as "match list --json" prints it.
type Match struct {
	Match      match.ID   `json:"match"`
	Variant    string     `json:"variant"`
	Clock      string     `json:"clock"`
	Rated      bool       `json:"rated"`
	Private    bool       `json:"private"`
	State      string     `json:"state"` // "waiting" for the second player, "playing" or "finished"
	Players    [2]Seat    `json:"players"`
	Turn       rules.Side `json:"turn"`
	Plies      int        `json:"plies"`
	Spectators int        `json:"spectators"` // at this server
	Opened     time.Time  `json:"opened"`
	Idle       int64      `json:"idle_seconds"` // since the last move or the start, 0 for a finished match
}

// Seat is a seat of a match with its player. A free seat has no account.
type Seat struct {
	Account match.PlayerID `json:"account"`
	Name    string         `json:"name"`
	Guest   bool           `json:"guest"`
	Here    bool           `json:"here"` // connected, always true for a computer
}

// matchInfo is the answer of "match show".
type matchInfo struct {
	Match
	Moves  []wire.Move `json:"moves"`
	Winner rules.Side  `json:"winner"`
	Reason string      `json:"reason,omitempty"`
	Ended  time.Time   `json:"ended,omitzero"`
}

// matchEnd is the answer of "match end".
type matchEnd struct {
	Match  match.ID   `json:"match"`
	Winner rules.Side `json:"winner"`
	Reason string     `json:"reason"`
}

const aboutMatchEnd = `End a match. The players and the spectators read that the operator has ended it.

Without --winner, the match does not count. A rated pair that is ended this way changes no rating, with a winner or
without. A table without a second player is closed.`

func (o *Operator) match() cli.Command {
	idle, winner := time.Duration(0), 0
	return cli.Command{
		Use: "match", Short: "List, show and end matches", Role: cli.Moderator,
		Sub: []cli.Command{{
			Use: "list", Short: "List the matches that are not over, those idle for longest first",
			Example: "ssh HOST admin match list --idle 10m", Role: cli.Moderator, JSON: true,
			Flags: func(f *pflag.FlagSet) {
				f.DurationVar(&idle, "idle", idle, "only those without a move for a `time`, such as 10m")
			},
			Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
				all, matches := []Match{}, o.Manager.Operator()
				for _, s := range matches.Matches() {
					if m := newMatch(s, matches.Now()); m.Idle >= int64(idle/time.Second) {
						all = append(all, m)
					}
				}
				return cli.Answer{JSON: all, Text: func(say cli.Say) {
					for _, m := range all {
						say("%s", m.text())
					}
				}}, nil
			},
		}, {
			Use: "show MATCH", Short: "Show a match, with its moves", Args: cli.ArgumentRange(1, 1, matchArgument),
			Role: cli.Moderator, JSON: true, Run: o.showMatch,
		}, {
			Use: "end MATCH", Short: "End a match, which then counts for no rating", Long: aboutMatchEnd,
			Args:    cli.ArgumentRange(1, math.MaxInt, matchArgument),
			Example: "ssh HOST admin match end c6zl3rq7s7 --winner 1 --reason 'the other player never moves'",
			Role:    cli.Administrator, JSON: true,
			Flags: func(f *pflag.FlagSet) {
				f.IntVar(&winner, "winner", winner, "the `seat` that wins, 1 or 2, or 0 for none")
				f.String(cli.ReasonFlag, "", "why, for the log")
			},
			Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
				if winner < 0 || winner > int(rules.Second) {
					return cli.Answer{}, cli.Usage(fmt.Errorf("invalid --winner %d: want 1, 2, or 0 for none", winner))
				}
				if args = c.JoinFlagText(args, 1, cli.ReasonFlag); len(args) > 1 {
					return cli.Answer{}, cli.Usage(fmt.Errorf("%s takes one match, and got %d", c.Path, len(args)))
				}
				s, err := o.Manager.Operator().End(ctx, match.ID(args[0]), rules.Side(winner))
				if err != nil {
					return cli.Answer{}, err
				}
				return cli.Answer{JSON: matchEnd{s.ID, s.Outcome.Winner, endReason(s)}, Text: func(say cli.Say) {
					say("%s has ended, %s", s.ID, newMatch(&match.Snapshot{State: s}, s.EndedAt).winnerText(s.Outcome.Winner))
				}}, nil
			},
		}},
	}
}

func newMatch(s *match.Snapshot, now time.Time) Match {
	m := Match{
		Match: s.ID, Variant: s.Variant.String(), Clock: s.Clock.String(), Rated: s.Pool.IsRated(),
		Private: s.Origin == match.PrivateOrigin, State: "playing", Turn: s.Turn(), Plies: len(s.Moves),
		Spectators: s.Spectators, Opened: s.OpenedAt.UTC().Truncate(time.Millisecond),
	}
	switch {
	case s.IsOver():
		m.State = "finished"
	case !s.HasStarted():
		m.State = "waiting"
	}
	if !s.IsOver() {
		m.Idle = int64(max(0, now.Sub(s.ChangedAt())) / time.Second)
	}
	for i, side := range rules.Sides() {
		p := s.Seat(side).Player
		m.Players[i] = Seat{p.ID, p.Name, p.Guest, s.IsHere(side)}
	}
	return m
}

func (m Match) text() string {
	line := fmt.Sprintf("%s  %s, %s, %s, idle for %s: ", m.Match, m.Variant, m.State,
		wording.Count(m.Plies, "move", "moves"), time.Duration(m.Idle)*time.Second)
	if m.State == "finished" {
		line = fmt.Sprintf("%s  %s, %s, %s: ", m.Match, m.Variant, m.State, wording.Count(m.Plies, "move", "moves"))
	}
	for i, p := range m.Players {
		switch {
		case p.Account == "":
			line += "a free seat"
		case p.Here || m.State == "finished":
			line += fmt.Sprintf("%s (%s)", p.Name, p.Account)
		default:
			line += fmt.Sprintf("%s (%s, away)", p.Name, p.Account)
		}
		if m.Turn == rules.Sides()[i] {
			line += " to move"
		}
		line += [...]string{" against ", ""}[i]
	}
	return line
}

func (o *Operator) showMatch(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
	matches := o.Manager.Operator()
	states, err := matches.History(ctx, match.ID(args[0]))
	if err != nil {
		return cli.Answer{}, err
	}
	last := &states[len(states)-1]
	shown := &match.Snapshot{State: last}
	for _, s := range matches.Matches() {
		if s.ID == last.ID {
			shown.Spectators = s.Spectators
		}
	}
	m := matchInfo{Match: newMatch(shown, matches.Now()), Moves: wire.NewMoves(states), Winner: last.Outcome.Winner}
	if last.IsOver() {
		m.Reason, m.Ended = endReason(last), last.EndedAt.UTC().Truncate(time.Millisecond)
	}
	return cli.Answer{JSON: m, Text: func(say cli.Say) {
		say("%s\nopened %s", m.text(), wording.Time(m.Opened))
		for _, move := range m.Moves {
			say("%s", move.Text(m.Players[move.Seat-1].Name))
		}
		if m.Reason != "" {
			say("ended by %s, %s", m.Reason, m.winnerText(m.Winner))
		}
	}}, nil
}

// endReason returns the reason of a match's end, in the words of the bot protocol.
func endReason(s *match.State) string {
	if s.Closed {
		return rules.ReasonAbandoned.String()
	}
	return s.Outcome.Reason.String()
}

func (m Match) winnerText(winner rules.Side) string {
	if !winner.IsValid() {
		return "without a winner"
	}
	return m.Players[winner-1].Name + " won"
}
