package command

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
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

func newPlay(d Env) *cobra.Command {
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
		RunE: d.needsServer(func(cmd *cobra.Command, _ []string) error {
			switch {
			case from.Level != 0:
				from.At = start.Computer
			case private:
				from.At = start.Private
			case rated && d.Server.Player.Guest:
				return userError(match.ErrGuestRated)
			case rated:
				from.Terms = match.RatedTerms(match.PeoplePool)
			}
			return d.game(cmd, from)
		}),
	}
	d.addTerms(cmd, &from)
	cmd.Flags().BoolVar(&private, "private", private, "make a private table and show its code")
	cmd.Flags().BoolVar(&rated, "rated", rated,
		"play a rated pair: two games with the seats swapped, each from a drawn opening")
	return cmd
}

// addTerms adds the flags of what is played, and with which level of the computer.
func (d Env) addTerms(cmd *cobra.Command, from *start.Start) {
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
	d.completeFlag(cmd, "computer", wording.LevelNames(strategy.Levels())...)
	clocks := make([]string, 0, 5)
	for _, c := range match.OfferedClocks() {
		clocks = append(clocks, c.String())
	}
	d.completeFlag(cmd, "clock", clocks...)
}
