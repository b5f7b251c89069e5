package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/manager"
	"notakto/sshapp/start"
)

var errNoMatch = errors.New("no open match is in progress")

const aboutWatch = `Look on at the match named, or at the busiest one that is in progress.

A match that is over is shown again, move by move.`

func newWatch(d Env) *cobra.Command {
	return &cobra.Command{
		Use:     "watch [MATCH]",
		Short:   "Look on: at the match named, or at the busiest one",
		Long:    aboutWatch,
		Example: "ssh -t HOST watch",
		Args:    Arguments(0, 1, "the name of a match, as `matches` lists it"),
		RunE: d.needsServer(func(cmd *cobra.Command, args []string) error {
			from := start.Start{At: start.Match}
			if len(args) > 0 {
				from.Match = match.ID(args[0])
			}
			if err := d.Server.checkWatch(cmd.Context(), from.Match); err != nil {
				return err
			}
			return d.game(cmd, from)
		}),
	}
}

// checkWatch says why there is nothing to watch, if so. The full screen can wait for a match to begin.
func (h *Server) checkWatch(ctx context.Context, id match.ID) error {
	if id == "" {
		if h.Game == nil && len(h.Manager.List()) == 0 {
			return errNoMatch
		}
		return nil
	}
	_, err := h.snapshot(ctx, id)
	return err
}

// watch is a handle on a match, which may be over.
func (h *Server) watch(ctx context.Context, id match.ID) (*manager.Spectator, error) {
	spectator, err := h.Manager.Watch(ctx, id, h.Player.ID)
	if errors.Is(err, match.ErrNoSuchMatch) {
		return nil, fmt.Errorf("there is no match %.40q; ssh HOST matches lists those in progress, and the end of a "+
			"match tells its name", id)
	}
	return spectator, err
}

// snapshot is how a match stands, or stood at its end.
func (h *Server) snapshot(ctx context.Context, id match.ID) (match.State, error) {
	spectator, err := h.watch(ctx, id)
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
