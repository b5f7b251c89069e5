package admin

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// aMatch says what MATCH is, in an error.
const aMatch = "the name of a match, as match list prints it"

// Matches is what the commands ask about matches. Its methods may be called from any goroutine.
type Matches interface {
	// Matches returns those that are not over, and the tables that wait for their second player, those first whose last
	// move is the oldest.
	Matches() []*match.Snapshot
	// Now returns the time of the clock that the times of matches are of.
	Now() time.Time
	// History returns how a match stood after each of its events.
	History(ctx context.Context, id match.ID) ([]match.State, error)
	// End ends a match: winner has won, or without one it is void, or closes a table that waits for its second player. It
	// returns the match as it is then.
	End(ctx context.Context, id match.ID, winner rules.Side) (*match.State, error)
}

// Match is a match as the operator sees it. Its JSON is a promise (docs/commands.md).
type Match struct {
	Match      match.ID   `json:"match"`
	Variant    string     `json:"variant"`
	Clock      string     `json:"clock"`
	Rated      bool       `json:"rated"`
	Private    bool       `json:"private"`
	State      string     `json:"state"` // "waiting" for its second player, "playing" or "finished"
	Players    [2]Seat    `json:"players"`
	Turn       rules.Side `json:"turn"`
	Plies      int        `json:"plies"`
	Spectators int        `json:"spectators"` // at this server
	Opened     time.Time  `json:"opened"`
	Idle       int64      `json:"idle_seconds"` // since the last move, or since it began; 0 once it is over
}

// Seat is one of the two seats of a match, with its player. One that no player has taken has no account.
type Seat struct {
	Account match.PlayerID `json:"account"`
	Name    string         `json:"name"`
	Guest   bool           `json:"guest"`
	Here    bool           `json:"here"` // connected to the match; computers are
}

// matchRecord is a match with its moves, and how it ended.
type matchRecord struct {
	Match
	Moves  []player.Move `json:"moves"`
	Winner rules.Side    `json:"winner"`
	Reason string        `json:"reason,omitempty"`
	Ended  time.Time     `json:"ended,omitzero"`
}

// ending is how `match end` has ended a match.
type ending struct {
	Match  match.ID   `json:"match"`
	Winner rules.Side `json:"winner"`
	Reason string     `json:"reason"`
}

func newMatch(e Env) *cobra.Command {
	cmd := &cobra.Command{Use: "match", Short: "See matches, and end one", Args: player.NoArguments}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return player.RuntimeError(cmd.Help()) }
	cmd.AddCommand(newMatchList(e), newMatchShow(e), newMatchEnd(e))
	return cmd
}

func newMatchList(e Env) *cobra.Command {
	idle := time.Duration(0)
	cmd := (row{
		use: "list", short: "List the matches that are not over, those idle for longest first", args: player.NoArguments,
		example: "ssh HOST admin match list --idle 10m", isForModerators: true,
	}).answering(func(*cobra.Command, []string) (answer, error) {
		all := []Match{}
		for _, s := range e.Matches.Matches() {
			if m := matchOf(s, e.Matches.Now()); m.Idle >= int64(idle/time.Second) {
				all = append(all, m)
			}
		}
		return answer{all, func(w io.Writer) (err error) {
			for _, m := range all {
				if err == nil {
					_, err = fmt.Fprintln(w, m.text())
				}
			}
			return err
		}}, nil
	})
	cmd.Flags().DurationVar(&idle, "idle", idle, "only those without a move for a `time`, such as 10m")
	return cmd
}

// matchOf returns a match as it is at a time.
func matchOf(s *match.Snapshot, now time.Time) Match {
	m := Match{
		Match: s.ID, Variant: s.Variant.String(), Clock: s.Clock.String(), Rated: s.Pool.IsRated(),
		Private: s.Origin == match.PrivateOrigin, State: "playing", Turn: s.Turn(), Plies: len(s.Moves),
		Spectators: s.Spectators, Opened: s.OpenedAt.UTC().Truncate(time.Millisecond),
	}
	switch {
	case s.Over():
		m.State = "finished"
	case !s.Started():
		m.State = "waiting"
	}
	if !s.Over() {
		m.Idle = int64(max(0, now.Sub(s.ChangedAt())) / time.Second)
	}
	for i, side := range rules.Sides() {
		p := s.SeatState(side).Player
		m.Players[i] = Seat{p.ID, p.Name, p.Guest, s.IsHere(side)}
	}
	return m
}

// text returns a match as a line.
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

func newMatchShow(e Env) *cobra.Command {
	return (row{
		use: "show MATCH", short: "Show a match, with its moves", args: player.Arguments(1, 1, aMatch),
		isForModerators: true,
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		states, err := e.Matches.History(cmd.Context(), match.ID(args[0]))
		if err != nil {
			return answer{}, err
		}
		last := &states[len(states)-1]
		shown := &match.Snapshot{State: last}
		for _, s := range e.Matches.Matches() {
			if s.ID == last.ID {
				shown.Spectators = s.Spectators
			}
		}
		m := matchRecord{Match: matchOf(shown, e.Matches.Now()), Moves: player.Moves(states), Winner: last.Outcome.Winner}
		if last.Over() {
			m.Reason, m.Ended = reasonOf(last), last.EndedAt.UTC().Truncate(time.Millisecond)
		}
		return answer{m, m.inWords}, nil
	})
}

// reasonOf returns why a match is over, as bots read it.
func reasonOf(s *match.State) string {
	if s.Closed {
		return rules.Abandoned.String()
	}
	return s.Outcome.Reason.String()
}

func (m matchRecord) inWords(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\nopened %s\n", m.text(), wording.Time(m.Opened))
	for _, move := range m.Moves {
		if err == nil {
			_, err = fmt.Fprintln(w, move.Text(m.Players[move.Seat-1].Name))
		}
	}
	if err != nil || m.Reason == "" {
		return err
	}
	_, err = fmt.Fprintf(w, "ended by %s, %s\n", m.Reason, winnerText(m.Winner, m.Players))
	return err
}

// winnerText says who has won.
func winnerText(winner rules.Side, players [2]Seat) string {
	if !winner.Valid() {
		return "without a winner"
	}
	return players[winner-1].Name + " won"
}

const aboutMatchEnd = `End a match. The players and the spectators read that the operator has ended it.

Without a winner it does not count at all, and a rated pair counts for no rating in any case. A table without a second
player is closed.`

func newMatchEnd(e Env) *cobra.Command {
	winner, reason := 0, ""
	cmd := (row{
		use: "end MATCH", short: "End a match, which then counts for no rating",
		args:    player.Arguments(1, math.MaxInt, aMatch),
		long:    aboutMatchEnd,
		example: "ssh HOST admin match end c6zl3rq7s7 --winner 1 --reason 'the other player never moves'",
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		if winner < 0 || winner > int(rules.Second) {
			return answer{}, usage{fmt.Errorf("--winner is 1, 2, or 0 for none, and not %d", winner)}
		}
		if args = ownWords(cmd, args, 1, reasonFlag); len(args) > 1 {
			return answer{}, usage{fmt.Errorf("%s takes one match, and got %d", cmd.CommandPath(), len(args))}
		}
		s, err := e.Matches.End(cmd.Context(), match.ID(args[0]), rules.Side(winner))
		if err != nil {
			return answer{}, err
		}
		end := ending{s.ID, s.Outcome.Winner, reasonOf(s)}
		return answer{end, func(w io.Writer) error {
			players := matchOf(&match.Snapshot{State: s}, s.EndedAt).Players
			_, err := fmt.Fprintf(w, "%s has ended, %s\n", s.ID, winnerText(s.Outcome.Winner, players))
			return err
		}}, nil
	})
	cmd.Flags().IntVar(&winner, "winner", winner, "the `seat` that has won, 1 or 2; 0 for none")
	cmd.Flags().StringVar(&reason, reasonFlag, reason, "why, for the log")
	return cmd
}
