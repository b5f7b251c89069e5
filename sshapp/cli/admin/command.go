package admin

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// row is what a command has besides what it does.
type row struct {
	use, short, long, example string
	args                      cobra.PositionalArgs
	isForModerators           bool
}

// newCommand returns a command that does do.
func (r row) newCommand(do func(cmd *cobra.Command, args []string) error) *cobra.Command {
	cmd := &cobra.Command{Use: r.use, Short: r.short, Long: r.long, Example: r.example, Args: r.args, RunE: do,
		Annotations: map[string]string{}}
	if r.isForModerators {
		cmd.Annotations[forModerators] = ""
	}
	return cmd
}

// answer is what a command prints.
type answer struct {
	value any                     // as JSON
	text  func(w io.Writer) error // in words
}

// lateError is told after the answer.
type lateError struct{ error }

// answering returns a command that prints what do returns: in words, or with --json as one JSON value.
func (r row) answering(do func(cmd *cobra.Command, args []string) (answer, error)) *cobra.Command {
	asJSON := false
	cmd := r.newCommand(func(cmd *cobra.Command, args []string) error {
		a, err := do(cmd, args)
		late := lateError{}
		switch {
		case err != nil && !errors.As(err, &late):
			return err
		case asJSON:
			err = json.NewEncoder(cmd.OutOrStdout()).Encode(a.value)
		default:
			err = a.text(cmd.OutOrStdout())
		}
		return errors.Join(err, late.error)
	})
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

// objectOf is the annotation of what a command was done to, if that is not to be recorded as it was typed.
const objectOf = "notakto: object"

// reasonFlag is the flag of a reason.
const reasonFlag = "reason"

// ownWords returns the first arguments of a command, as many as it takes, if the others belong to the text of a flag:
// ssh sends words without the quotes around them. Without that flag it returns all.
func ownWords(cmd *cobra.Command, args []string, takes int, flag string) []string {
	text := cmd.Flags().Lookup(flag)
	if len(args) <= takes || !text.Changed {
		return args
	}
	_ = text.Value.Set(text.Value.String() + " " + strings.Join(args[takes:], " ")) // a text takes all
	cmd.Annotations[objectOf] = strings.Join(args[:takes], " ")
	return args[:takes]
}

// usage is an error of the command line.
type usage struct{ error }

// maxDuration bounds what is added to the time of today.
const maxDuration = 100 * 365 * 24 * time.Hour

// duration is the value of a flag: a time as Go writes it, which may begin with days. One that is set is more than
// zero.
type duration time.Duration

var errDuration = errors.New("it takes a time such as 90s, 24h, 7d or 1d12h")

// Set implements pflag.Value.
func (d *duration) Set(text string) error {
	total, rest := time.Duration(0), text
	if days, behind, ok := strings.Cut(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return errDuration
		}
		total, rest = time.Duration(n)*24*time.Hour, behind
	}
	if rest != "" || text == "" {
		part, err := time.ParseDuration(rest)
		if err != nil || part < 0 {
			return errDuration
		}
		total += min(part, maxDuration)
	}
	if total <= 0 || total > maxDuration {
		return errDuration
	}
	*d = duration(total)
	return nil
}

// String implements pflag.Value.
func (d *duration) String() string { return time.Duration(*d).String() }

// Type implements pflag.Value.
func (d *duration) Type() string { return "time" }
