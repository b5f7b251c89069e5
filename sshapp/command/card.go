package command

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/sshapp/picture"
	"notakto/sshapp/wording"
)

const aboutCard = `Print an SVG of how a match ended, for a page or a message.

Its text is text, and its colours follow the reader's preference for dark or light. It tells who was winning with
perfect play, so a player of a rated pair has to wait until that is over.`

const aboutCast = `Print a match as an asciicast, version 3: each move as a spectator saw it, at the pace of the match.

Save it, and asciinema plays it. No pause is longer than two seconds. It tells at its end who was winning with perfect
play, so a player of a rated pair has to wait until that is over.`

func newCard(d Env) *cobra.Command {
	return newShowing(d, &cobra.Command{
		Use:     "card MATCH",
		Short:   "Print a picture of how a match ended",
		Long:    aboutCard,
		Example: "ssh HOST card c6zl3rq7s7 >match.svg",
	}, picture.Card)
}

func newCast(d Env) *cobra.Command {
	return newShowing(d, &cobra.Command{
		Use:     "cast MATCH",
		Short:   "Print a match that is over as an asciicast",
		Long:    aboutCast,
		Example: "ssh HOST cast c6zl3rq7s7 >match.cast",
	}, picture.Cast)
}

// newShowing is a command that prints a match that is over, made from how it stood after each event and from the host.
func newShowing(d Env, cmd *cobra.Command, made func([]match.State, string) []byte) *cobra.Command {
	cmd.Args = Arguments(1, 1, "the name of a match that is over")
	cmd.RunE = d.needsServer(func(cmd *cobra.Command, args []string) error {
		if err := d.Server.mayAnalyse(); err != nil {
			return err
		}
		history, err := d.Server.history(cmd.Context(), match.ID(args[0]))
		if err != nil {
			return err
		}
		var picture []byte
		err = d.Server.inTurn(cmd.Context(), func() { picture = made(history, cmp.Or(d.Host, wording.NoHost)) })
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(picture)
		return err
	})
	return cmd
}

// inTurn is InTurn, if there is one. The error is the cause of ctx's end, in which case do may not have been called.
func (h *Server) inTurn(ctx context.Context, do func()) error {
	if h.InTurn == nil {
		do()
	} else {
		h.InTurn(do)
	}
	return context.Cause(ctx)
}

// history is how a match that is over stood after each of its events until then.
func (h *Server) history(ctx context.Context, id match.ID) ([]match.State, error) {
	spectator, err := h.watch(ctx, id)
	if err != nil {
		return nil, err
	}
	defer spectator.Close()
	all, err := spectator.History(ctx)
	if err != nil {
		return nil, err
	}
	end := slices.IndexFunc(all, match.State.Over)
	if end < 0 {
		return nil, match.ErrNotOver
	}
	if !all[end].Started() {
		return nil, errNoOpponentCame
	}
	return all[:end+1], nil
}
