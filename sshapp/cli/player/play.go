package player

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

var (
	errBoards    = errors.New("it takes a whole number from 1 to 9")
	errClock     = errors.New("it takes minutes and seconds a move such as 3+2, days a move such as 1d, or none")
	errLevel     = errors.New("it takes " + strings.Join(wording.LevelNames(strategy.Levels()), ", "))
	errRated     = errors.New("--rated says all that is played: leave --boards, --clock, --computer and --private out")
	errTwoTables = errors.New("--computer and --private are two different tables: choose one")
)

const aboutPlay = `Go straight to a table: to the next player who waits, to the computer, or to a private table
for a friend.

With a terminal this is the full-screen game, without one the plain game, line by line.`

func newPlay(e Env) *cobra.Command {
	from := start.Start{At: start.Queue}
	private, rated := false, false
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Go straight to a table: to an opponent, the computer, or a private one",
		Long:  aboutPlay,
		Example: "ssh -t HOST play\nssh -t HOST play --computer steady --boards 5\nssh -t HOST play --private --clock 3+2\n" +
			"ssh -t HOST play --rated",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case rated && (private || from.Level != 0 || from.Untimed || from.Terms != match.Terms{}):
				return errRated
			case private && from.Level != 0:
				return errTwoTables
			}
			return NoArguments(cmd, args)
		},
		RunE: e.needsServer(func(*cobra.Command, []string) error {
			switch {
			case from.Level != 0:
				from.At = start.Computer
			case private:
				from.At = start.Private
			case rated && e.Server.Player.Guest:
				return e.userError(match.ErrGuestRated)
			case rated:
				from.Terms = match.RatedTerms(match.PeoplePool)
			}
			e.leadToGame(e.Server.Player, from)
			return nil
		}),
	}
	e.addTerms(cmd, &from)
	cmd.Flags().BoolVar(&private, "private", private, "make a private table and show its code")
	cmd.Flags().BoolVar(&rated, "rated", rated,
		"play a rated pair: two games with the seats swapped, each from a drawn opening")
	return cmd
}

// addTerms adds the flags of what is played, and with which level of the computer.
func (e Env) addTerms(cmd *cobra.Command, from *start.Start) {
	cmd.Flags().Func("boards", "`number` of boards, 1 to 9 (default 3; against a person, 1 to 5)",
		func(text string) error {
			boards, err := strconv.Atoi(text)
			if err == nil {
				from.Variant, err = rules.Notakto(boards)
			}
			if err != nil {
				return errBoards
			}
			return nil
		})
	cmd.Flags().Func("computer", "play the computer at this `level`: "+
		strings.Join(wording.LevelNames(strategy.Ladder()), ", "), func(text string) (err error) {
		if from.Level, err = strategy.ParseLevel(text); err != nil {
			return errLevel
		}
		return nil
	})
	cmd.Flags().Func("clock",
		"`time` of each player: 3+2 for 3 minutes and 2 seconds a move, 1d for a day a move, or none",
		func(text string) (err error) {
			if from.Clock, err = match.ParseClock(text); err != nil {
				return errClock
			}
			from.Untimed = from.Clock.IsNone()
			return nil
		})
	e.completeFlag(cmd, "computer", wording.LevelNames(strategy.Levels())...)
	clocks := make([]string, 0, 5)
	for _, c := range match.OfferedClocks() {
		clocks = append(clocks, c.String())
	}
	e.completeFlag(cmd, "clock", clocks...)
}

func newJoin(e Env) *cobra.Command {
	return &cobra.Command{
		Use:     "join CODE",
		Short:   "Sit down at a private table, or come back to a guest's seat",
		Example: "ssh -t HOST join K7QX",
		Args:    Arguments(1, maxCodeWords, "the code of a table"),
		RunE: e.needsServer(func(cmd *cobra.Command, args []string) error {
			code := codeOf(args)
			player, err := e.Server.preJoin(cmd.Context(), code)
			if err != nil {
				return err
			}
			e.leadToGame(player, start.Start{At: start.Code, Code: code})
			return nil
		}),
	}
}

// maxCodeWords is the most words in which a code may be typed: letter by letter.
const maxCodeWords = 8

// codeOf returns a code that may be typed in several words.
func codeOf(words []string) match.Code { return match.Code(strings.Join(words, "")) }

// preJoin follows a code before the plain game does, which finds the player at the table then, so that a script learns
// of a code that leads nowhere. It returns the player, or the guest whose code it is. On the full screen the player can
// type another.
func (s *Server) preJoin(ctx context.Context, code match.Code) (match.Player, error) {
	if s.Screens {
		return s.Player, nil
	}
	_, player, err := s.Manager.Join(ctx, s.Player, code)
	if err != nil && !errors.Is(err, match.ErrOwnTable) {
		return s.Player, fmt.Errorf("join %.40q: %w", code, err)
	}
	return player, nil
}

var errNoMatch = errors.New("no open match is in progress")

const aboutWatch = `Look on at the match named, or at the busiest one that is in progress.

A match that is over is shown again, move by move.`

func newWatch(e Env) *cobra.Command {
	return &cobra.Command{
		Use:     "watch [MATCH]",
		Short:   "Look on: at the match named, or at the busiest one",
		Long:    aboutWatch,
		Example: "ssh -t HOST watch",
		Args:    Arguments(0, 1, "the name of a match, as `matches` lists it"),
		RunE: e.needsServer(func(cmd *cobra.Command, args []string) error {
			from := start.Start{At: start.Match}
			if len(args) > 0 {
				from.Match = match.ID(args[0])
			}
			if err := e.Server.checkWatch(cmd.Context(), from.Match); err != nil {
				return err
			}
			e.leadToGame(e.Server.Player, from)
			return nil
		}),
	}
}

// checkWatch says why there is nothing to watch, if so. The full screen can wait for a match to begin.
func (s *Server) checkWatch(ctx context.Context, id match.ID) error {
	if id == "" {
		if !s.Screens && len(s.Manager.List()) == 0 {
			return errNoMatch
		}
		return nil
	}
	_, err := s.snapshot(ctx, id)
	return err
}

const aboutPlain = `Play line by line: every change is one sentence, moves and commands are words, and no escape
code is ever sent.

It is made for screen readers, plain terminals and slow links. Tables, queue and matches are those of the full screen.
Type help once you are there.`

func newPlain(e Env) *cobra.Command {
	return &cobra.Command{
		Use:   "plain",
		Short: "Play line by line, for screen readers and plain terminals",
		Long:  aboutPlain,
		Args:  NoArguments,
		RunE: e.needsServer(func(*cobra.Command, []string) error {
			e.LeadTo(FrontEnd{Kind: Plain, Player: e.Server.Player})
			return nil
		}),
	}
}

const aboutBot = `Play by a program: JSON objects, one a line each way, by version 1 of the bot protocol.

The page docs/bot.md teaches it, with a whole bot in thirty lines of Python.`

func newBot(e Env) *cobra.Command {
	return &cobra.Command{
		Use:     "bot",
		Short:   "Play by a program: one JSON object a line each way",
		Long:    aboutBot,
		Example: "ssh -T HOST bot",
		Args:    NoArguments,
		RunE: e.needsServer(func(*cobra.Command, []string) error {
			e.LeadTo(FrontEnd{Kind: Bot, Player: e.Server.Player})
			return nil
		}),
	}
}

// watch is a handle on a match, which may be over.
func (s *Server) watch(ctx context.Context, id match.ID) (*manager.Spectator, error) {
	spectator, err := s.Manager.Watch(ctx, id, s.Player.ID)
	if errors.Is(err, match.ErrNoSuchMatch) {
		return nil, unknownMatchError(id)
	}
	return spectator, err
}

// snapshot is how a match stands, or stood at its end.
func (s *Server) snapshot(ctx context.Context, id match.ID) (match.State, error) {
	spectator, err := s.watch(ctx, id)
	if err != nil {
		return match.State{}, err
	}
	defer spectator.Close()
	select {
	case snapshot, open := <-spectator.Snapshots():
		if !open {
			return match.State{}, match.ErrClosed
		}
		return *snapshot.State, nil
	case <-ctx.Done():
		return match.State{}, context.Cause(ctx)
	}
}
