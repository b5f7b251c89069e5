package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"notakto/sshapp/plain"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// action is what a command does.
type action func(cmd *cobra.Command, args []string) error

// needsServer is do where there is a server to do it, and a word about where to ask where there is none. What goes
// wrong is not the command line's fault.
func (d Env) needsServer(do action) action {
	return func(cmd *cobra.Command, args []string) error {
		if d.Server == nil {
			return RuntimeError(needsServerError(cmd.Name()))
		}
		return RuntimeError(userError(do(cmd, args)))
	}
}

// answers is an action that needs a server and prints one sentence, in which it says what it has done.
func (d Env) answers(do func(ctx context.Context, h *Server, args []string) (string, error)) action {
	return d.needsServer(func(cmd *cobra.Command, args []string) error {
		text, err := do(cmd.Context(), d.Server, args)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	})
}

// needsServerError says where a command line has to be given.
func needsServerError(line string) error {
	return fmt.Errorf("this command needs a server: ssh HOST %s", line)
}

// errLate says that the outcome is not known.
var errLate = errors.New("the server took too long; try again in a moment")

// userError is an error as a player is to read it.
func userError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return errLate
	}
	if said := wording.ForError(err); said.Known {
		return errors.New(said.Message)
	}
	return err
}

// game is played on the full screen where there is one, and otherwise line by line.
func (d Env) game(cmd *cobra.Command, from start.Start) error {
	if d.Server.Game != nil {
		d.Server.Game(from)
		return nil
	}
	return d.plainGame(cmd, from)
}

func (d Env) plainGame(cmd *cobra.Command, from start.Start) error {
	return plain.Serve(cmd.Context(), plain.Config{
		Player: d.Server.Player, Accounts: d.Server.Accounts, Caller: d.Server.Caller, Manager: d.Server.Manager,
		History: d.Server.History, In: d.In, Out: d.Out,
		Echo: d.Echo, ASCII: d.Server.ASCII, Renamed: d.Server.Renamed,
		Idle: d.Server.Idle, Start: from, Host: d.Host, InTurn: d.Server.InTurn,
		Notices: d.Server.Notices,
	})
}
