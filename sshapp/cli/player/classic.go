package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/cobra"

	"notakto/rules/classic"
	"notakto/sshapp/wording"
)

var (
	errSeed         = errors.New("it takes a whole number")
	errComputer     = errors.New("it takes strong or random")
	errWhichProgram = errors.New("which program, two, three or one?")
)

const aboutClassic = `Run one of the three small programs that the game began with, on standard input and output.

  two     Notakto on two boards, cells numbered like a keypad; for two people, or one and the computer
  three   Notakto on three boards A, B and C, cells 0 to 8; for two people
  one     tic-tac-toe or Notakto on one board; for two people, or one and the computer

What they print is fixed to the byte. When the input ends before the game does, the exit status is 1.`

func newClassic(e Env) *cobra.Command {
	var options classic.Options
	cmd := &cobra.Command{
		Use:       "classic two|three|one",
		Short:     "Run one of the three programs that the game began with",
		Long:      aboutClassic,
		Example:   e.Name + " classic two\n" + e.Name + " classic one --computer strong --seed 7",
		ValidArgs: programs(),
		Args:      oneProgram,
		RunE: func(cmd *cobra.Command, args []string) error {
			program, err := classic.ParseProgram(args[0])
			if err != nil {
				return err
			}
			err = program.Run(e.lines(e.withIdleTimeout(cmd.Context())), cmd.OutOrStdout(), options)
			if cause := context.Cause(cmd.Context()); cause != nil && errors.Is(err, cause) {
				err = cause // it is not the input's fault
			}
			return RuntimeError(err)
		},
	}
	cmd.Flags().Func("computer", "who plays one person in the program one: `strong` or random; drawn by lot otherwise",
		func(text string) (err error) {
			if options.Computer, err = classic.ParseComputer(text); err != nil {
				return errComputer
			}
			return nil
		})
	cmd.Flags().Func("seed", "a whole `number`: the same one makes the same draws", func(text string) error {
		seed, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return errSeed
		}
		options.Rand = rand.New(rand.NewPCG(uint64(seed), 0))
		return nil
	})
	e.completeFlag(cmd, "computer", "strong", "random")
	return cmd
}

func oneProgram(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return errWhichProgram
	case 1:
		if _, err := classic.ParseProgram(args[0]); err != nil {
			return fmt.Errorf("%w%s", err, wording.Suggest("", args[0], programs()))
		}
		return nil
	default:
		return fmt.Errorf("one program at a time, not %d", len(args))
	}
}

func programs() []string {
	var names []string
	for _, program := range classic.Programs() {
		names = append(names, program.String())
	}
	return names
}
