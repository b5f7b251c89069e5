package command

import (
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/sshapp/start"
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
	More     []*cobra.Command // further commands

	// Data returns the data directory that a local command reads if none is named.
	Data func() (string, error)
}

// Server is the server as the player at the front end may use it.
type Server struct {
	Player   match.Player
	Accounts *account.Accounts
	History  *history.Store // nil where there is none
	Caller   account.Caller // who decides about the player's account
	Manager  *manager.Manager
	Game     func(start.Start) // plays on the full screen until the player leaves; nil without a terminal that can show it
	Idle     time.Duration     // how long nothing may be typed, or said by a bot; zero is for ever
	Stall    time.Duration     // how long a bot may leave unread what it is sent
	OnLimit  func(error)       // is called when a limit of a front end refuses the player something; may be nil
	ASCII    bool              // the player's locale knows no other characters
	Renamed  bool              // the player's name is not the user name of the login
	Log      *slog.Logger      // of faults
	InTurn   func(do func())   // as of [plain.Config]
	Notices  <-chan string     // of those who look after the server, for the game
}
