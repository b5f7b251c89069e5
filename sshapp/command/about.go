package command

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"notakto/rules/classic"
	"notakto/rules/opening"
	"notakto/sshapp/plain"
	"notakto/sshapp/wording"
)

// Version names a program and what it was built from. Its fields as JSON and their order are a promise
// (docs/commands.md).
type Version struct {
	Version  string `json:"version"`            // of the release
	Revision string `json:"revision"`           // the commit; empty if the build does not know it
	Modified bool   `json:"modified,omitempty"` // the tree had changes that the commit does not have
	Go       string `json:"go"`
	Data     int    `json:"data"`           // the format of what a server writes into its directory
	Node     string `json:"node,omitempty"` // the server's name in a cluster
}

// shortRevision is how many characters of a commit stand in a sentence.
const shortRevision = 12

// String returns the version with the commit and the tool chain, as `version` says it.
func (v Version) String() string {
	if v.Go == "" {
		return v.Version
	}
	commit := ""
	if v.Revision != "" {
		commit = v.Revision[:min(len(v.Revision), shortRevision)] + ", "
	}
	if v.Modified {
		commit = "changed after " + commit
	}
	return fmt.Sprintf("%s (%s%s %s/%s)", v.Version, commit, v.Go, runtime.GOOS, runtime.GOARCH)
}

func newVersion(d Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Say which version this is",
		Example: d.Name + " version --json",
		Args:    NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return RuntimeError(writeJSON(cmd.OutOrStdout(), d.Version))
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "notakto", d.Version)
			return RuntimeError(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

func newRules(d Env) *cobra.Command {
	return &cobra.Command{
		Use:   "rules",
		Short: "Explain the rules",
		Args:  NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lines := plain.Rules()
			if d.Server != nil {
				limits := d.Server.Manager.TimeLimits()
				lines = append(lines, wording.MoveLimits(limits.FirstMove, limits.LaterMove))
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(lines, "\n"))
			return RuntimeError(err)
		},
	}
}

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

func newClassic(d Env) *cobra.Command {
	var options classic.Options
	cmd := &cobra.Command{
		Use:       "classic two|three|one",
		Short:     "Run one of the three programs that the game began with",
		Long:      aboutClassic,
		Example:   d.Name + " classic two\n" + d.Name + " classic one --computer strong --seed 7",
		ValidArgs: programs(),
		Args:      oneProgram,
		RunE: func(cmd *cobra.Command, args []string) error {
			program, err := classic.ParseProgram(args[0])
			if err != nil {
				return err
			}
			err = program.Run(d.lines(d.withIdleTimeout(cmd.Context())), cmd.OutOrStdout(), options)
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
	d.completeFlag(cmd, "computer", "strong", "random")
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

const aboutOpening = `Draw the two positions that the games of a rated pair begin from.

The same seed always draws the same positions. A server shows the hash of the seed before a rated pair begins, and the
seed when the pair is over: compare them to see that the positions were not chosen.

A position is written as for analyse.`

// drawnOpenings is what `opening --json` prints. Its fields and their order are a promise (docs/commands.md).
type drawnOpenings struct {
	Seed     string   `json:"seed"`
	Hash     string   `json:"hash"`
	Openings []string `json:"openings"`
}

func newOpening(d Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "opening SEED",
		Short:   "Draw the two positions of a rated pair from a seed",
		Long:    aboutOpening,
		Example: d.Name + " opening K7QXV2M4T5B6N8P9R3S1W0Y2Z4",
		Args:    Arguments(1, 1, "one seed, in quotes if it has spaces"),
		RunE: func(cmd *cobra.Command, args []string) error {
			drawn, err := drawOpenings(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return RuntimeError(writeJSON(cmd.OutOrStdout(), drawn))
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), drawn)
			return RuntimeError(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

func drawOpenings(seed string) (drawnOpenings, error) {
	if err := opening.Check(seed); err != nil {
		return drawnOpenings{}, err
	}
	drawn := drawnOpenings{Seed: seed, Hash: opening.Hash(seed)}
	for _, p := range opening.Draw(seed) {
		drawn.Openings = append(drawn.Openings, p.String())
	}
	return drawn, nil
}

// String is the openings in words, a line each.
func (o drawnOpenings) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "Hash of the seed: %s\n", o.Hash)
	for i, position := range o.Openings {
		fmt.Fprintf(&text, "Opening of game %d: %s\n", i+1, position)
	}
	return text.String()
}
