package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/tui"
)

var (
	errBoards    = errors.New("it takes a whole number from 1 to 9")
	errNoMatch   = errors.New("no match is in progress")
	errTwoTables = errors.New("--computer and --private are two different tables: choose one")
)

const aboutPlay = `Go straight to a table: to whoever else is waiting for an opponent, to the computer, or to a private table for a friend.

With a terminal this is the full-screen game, without one the plain game, line by line.`

func newPlay(d Door) *cobra.Command {
	start := tui.Start{Door: tui.AtQueue, Variant: rules.DefaultVariant()}
	private := false
	cmd := &cobra.Command{
		Use:     "play",
		Short:   "Go straight to a table: to an opponent, the computer, or a private one",
		Long:    aboutPlay,
		Example: d.Name + " play\n" + d.Name + " play --computer club --boards 5\n" + d.Name + " play --private",
		Args: func(cmd *cobra.Command, args []string) error {
			if private && start.Level != 0 {
				return errTwoTables
			}
			return NoArguments(cmd, args)
		},
		RunE: d.needsServer(func(cmd *cobra.Command, _ []string) error {
			switch {
			case start.Level != 0:
				start.Door = tui.AtComputer
			case private:
				start.Door = tui.AtPrivate
			}
			return d.game(cmd, start)
		}),
	}
	cmd.Flags().Func("boards", "`number` of boards, 1 to 9 (default 3)", func(text string) error {
		boards, err := strconv.Atoi(text)
		if err == nil {
			start.Variant, err = rules.Notakto(boards)
		}
		if err != nil {
			return errBoards
		}
		return nil
	})
	cmd.Flags().Func("computer", "play the computer at this `level`: "+strings.Join(levels(), ", "), func(text string) (err error) {
		start.Level, err = strategy.ParseLevel(text)
		return err
	})
	cmd.Flags().BoolVar(&private, "private", private, "make a private table and show its code")
	offer(cmd, "computer", levels()...)
	return cmd
}

func newJoin(d Door) *cobra.Command {
	return &cobra.Command{
		Use:     "join CODE",
		Short:   "Sit down at a private table, or come back to a guest's seat",
		Example: d.Name + " join K7QX",
		Args:    arguments(1, 1, "the code of a table"),
		RunE: d.needsServer(func(cmd *cobra.Command, args []string) error {
			return d.game(cmd, tui.Start{Door: tui.AtCode, Code: match.Code(args[0])})
		}),
	}
}

func newWatch(d Door) *cobra.Command {
	return &cobra.Command{
		Use:     "watch [MATCH]",
		Short:   "Look on: at the match named, or at the busiest one",
		Example: d.Name + " watch",
		Args:    arguments(0, 1, "the name of a match, as `matches` lists it"),
		RunE: d.needsServer(func(cmd *cobra.Command, args []string) error {
			start := tui.Start{Door: tui.AtMatch}
			if len(args) > 0 {
				start.Match = match.ID(args[0])
			}
			if err := d.House.canWatch(cmd.Context(), start.Match); err != nil {
				return err
			}
			return d.game(cmd, start)
		}),
	}
}

// canWatch says why there is nothing to look on at, if so. The full screen can wait for a match to begin.
func (h *House) canWatch(ctx context.Context, id match.ID) error {
	if id == "" {
		if h.Game == nil && len(h.Manager.List()) == 0 {
			return errNoMatch
		}
		return nil
	}
	look, err := h.Manager.Watch(ctx, id)
	switch {
	case errors.Is(err, match.ErrNoSuchMatch):
		return fmt.Errorf("there is no match %.40q; ssh HOST matches lists them", id)
	case err != nil:
		return fmt.Errorf("watch: %w", err)
	}
	look.Close()
	return nil
}

// game is played on the full screen where there is one, and otherwise line by line.
func (d Door) game(cmd *cobra.Command, start tui.Start) error {
	if d.House.Game != nil {
		d.House.Game(start)
		return nil
	}
	return d.plainGame(cmd, start)
}

func levels() []string {
	var names []string
	for _, level := range strategy.Levels() {
		names = append(names, level.String())
	}
	return names
}
