package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/wording"
)

// Env is the way by which a command line came in, and what can be done there.
type Env struct {
	Name     string           // what is typed before the command: "notakto", or "ssh HOST"
	Host     string           // the server in commands to copy; HOST by default
	Version  Version          // as `version` says it
	In       io.Reader        // ends when the client has gone
	Out, Err io.Writer        // a Write that never returns holds up the command; the caller has to make it fail some time
	Echo     bool             // In is the keys of a terminal that shows none of them
	Server   *Server          // the server behind the front end; nil where there is none
	LeadTo   func(FrontEnd)   // is called with the front end that the command line leads to, for [Env.Serve]
	More     []*cobra.Command // further commands

	// Data adds the flags of a local command that name a server's data, and returns a function that opens it.
	Data func(cmd *cobra.Command) (open func(context.Context) (*store.Store, error))
}

// Server is the server as the player at the front end may use it.
type Server struct {
	Player   match.Player
	Accounts *account.Accounts
	History  *store.History // nil where there is none
	Caller   account.Caller // who decides about the player's account
	Manager  *manager.Manager
	Screens  bool            // the client's terminal can show the full screen
	Idle     time.Duration   // how long nothing may be typed, or said by a bot; zero is for ever
	Stall    time.Duration   // how long a bot may leave unread what it is sent
	OnLimit  func(error)     // is called when a limit of a front end refuses the player something; may be nil
	ASCII    bool            // the player's locale knows no other characters
	Renamed  bool            // the player's name is not the user name of the login
	Log      *slog.Logger    // of faults
	InTurn   func(do func()) // as of [plain.Config]
	Notices  <-chan string   // of those who look after the server, for the game
}

// action is what a command does.
type action func(cmd *cobra.Command, args []string) error

// needsServer is do where there is a server to do it, and a word about where to ask where there is none. What goes
// wrong is not the command line's fault.
func (e Env) needsServer(do action) action {
	return func(cmd *cobra.Command, args []string) error {
		if e.Server == nil {
			return RuntimeError(needsServerError(cmd.Name()))
		}
		return RuntimeError(e.userError(do(cmd, args)))
	}
}

// needsServerError says where a command line has to be given.
func needsServerError(line string) error {
	return fmt.Errorf("this command needs a server: ssh HOST %s", line)
}

// answers is an action that needs a server and prints one sentence, in which it says what it has done.
func (e Env) answers(do func(ctx context.Context, s *Server, args []string) (string, error)) action {
	return e.needsServer(func(cmd *cobra.Command, args []string) error {
		text, err := do(cmd.Context(), e.Server, args)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	})
}

// writeJSON writes one JSON value and a newline.
func writeJSON(w io.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// errLate says that the outcome is not known.
var errLate = errors.New("the server took too long; try again in a moment")

// unknownMatchError says that there is no match of a name.
type unknownMatchError match.ID

func (u unknownMatchError) Error() string { return "there is no match " + string(u) }

// userError is an error as a player is to read it.
func (e Env) userError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return errLate
	}
	if unknown := unknownMatchError(""); errors.As(err, &unknown) {
		return fmt.Errorf("there is no match %.40q; ssh %s matches lists those in progress, and the end of a match "+
			"tells its name", string(unknown), e.Host)
	}
	if said := wording.ForError(err); said.Known {
		return errors.New(said.Message)
	}
	return err
}

// inTurn is InTurn, if there is one. The error is the cause of ctx's end, in which case do may not have been called.
func (s *Server) inTurn(ctx context.Context, do func()) error {
	if s.InTurn == nil {
		do()
	} else {
		s.InTurn(do)
	}
	return context.Cause(ctx)
}
