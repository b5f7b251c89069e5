package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/pflag"

	"notakto/rules/classic"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

var (
	errSeed         = errors.New("it takes a whole number")
	errComputer     = errors.New("it takes strong or random")
	errWhichProgram = errors.New("name a program: two, three or one")
)

const aboutClassic = `Run one of the three original programs, on standard input and output.

  two     Notakto on two boards, cells numbered like a keypad; for two people, or one and the computer
  three   Notakto on three boards A, B and C, cells 0 to 8; for two people
  one     tic-tac-toe or Notakto on one board; for two people, or one and the computer

Their output is always the same, to the byte. If the input ends before the game does, the exit status is 1.`

func (e Env) classic() cli.Command {
	var options classic.Options
	var program classic.Program
	var programs []string
	for _, p := range classic.Programs() {
		programs = append(programs, p.String())
	}
	return cli.Command{
		Use: "classic two|three|one", Short: "Run one of the three original programs", Long: aboutClassic,
		Example: e.Name + " classic two\n" + e.Name + " classic one --computer strong --seed 7",
		Words:   programs, Choices: map[string][]string{"computer": {"strong", "random"}},
		Flags: func(f *pflag.FlagSet) {
			f.Func("computer", "how the computer plays in the program one: `strong` or random (default: either, at random)",
				func(text string) (err error) {
					if options.Computer, err = classic.ParseComputer(text); err != nil {
						return errComputer
					}
					return nil
				})
			f.Func("seed", "a whole `number`: the same seed repeats all random choices", func(text string) error {
				seed, err := strconv.ParseInt(text, 10, 64)
				if err != nil {
					return errSeed
				}
				options.Rand = rand.New(rand.NewPCG(uint64(seed), 0))
				return nil
			})
		},
		Args: func(_ *cli.Call, args []string) (err error) {
			switch len(args) {
			case 0:
				return errWhichProgram
			case 1:
				if program, err = classic.ParseProgram(args[0]); err != nil {
					return fmt.Errorf("%w%s", err, wording.Suggest("", args[0], programs))
				}
				return nil
			default:
				return fmt.Errorf("name one program, not %d", len(args))
			}
		},
		Run: func(ctx context.Context, c *cli.Call, _ []string) (cli.Answer, error) {
			err := program.Run(e.input(ctx, c), c.Out, options)
			if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
				// The read failed because ctx ended.
				err = cause
			}
			return cli.Answer{}, err
		},
	}
}
