package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/sshapp/start"
)

func newJoin(d Env) *cobra.Command {
	return &cobra.Command{
		Use:     "join CODE",
		Short:   "Sit down at a private table, or come back to a guest's seat",
		Example: "ssh -t HOST join K7QX",
		Args:    Arguments(1, 1, "the code of a table"),
		RunE: d.needsServer(func(cmd *cobra.Command, args []string) error {
			code := match.Code(args[0])
			if err := d.Server.preJoin(cmd.Context(), code); err != nil {
				return err
			}
			return d.game(cmd, start.Start{At: start.Code, Code: code})
		}),
	}
}

// preJoin follows a code before the plain game does, which finds the player at the table then, so that a script learns
// of a code that leads nowhere. On the full screen the player can type another.
func (h *Server) preJoin(ctx context.Context, code match.Code) error {
	if h.Game != nil {
		return nil
	}
	_, player, err := h.Manager.Join(ctx, h.Player, code)
	if err != nil && !errors.Is(err, match.ErrOwnTable) {
		return fmt.Errorf("join %.40q: %w", code, err)
	}
	h.Player = player
	return nil
}
