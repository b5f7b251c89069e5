// Package admin has the commands below `admin`, with which administrators manage the server over SSH or the
// control socket. [Keys] says who is an administrator.
//
// An [Operator] is an administrator with the parts of the server that the commands use. [Operator.Command] returns
// the commands for package cli, which checks roles and records each command. The sshapp package implements
// [Server] and stores the records with [Keep]. The local program also uses [Data], on the data of a stopped
// server. The package starts no goroutine.
package admin

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/cli"
)

// Operator holds the administrator who gives a command, and the server that the command is for.
type Operator struct {
	Actor      string // an account, or "operator"
	Server     Server
	Accounts   *account.Accounts
	Manager    *manager.Manager
	History    *store.History // may be nil
	Audit      *store.Audit   // nil for none
	Data       *Data          // may be nil
	Process    Process
	IsTerminal bool // standard input and output are a terminal
}

// Server is the SSH server for the commands. It is an interface because the SSH server imports this package. Its
// methods may be called from any goroutine.
type Server interface {
	// Status returns the state of the server.
	Status() Status
	// Sessions returns the sessions, the oldest first.
	Sessions() []Session
	// Servers returns the servers that share the database, this one among them.
	Servers() []Peer

	// Kick ends one session or all sessions of an account, on every server that shares the database. to is a
	// session's name, an account, or @ and a name. The players read the reason and keep their seats, as after a lost
	// connection. Kick does not end the session of the caller. It returns an error if there is no such session.
	Kick(to, reason string) (Reached, error)
	// Say shows a text in sessions on every server that shares the database: in all sessions, or in those that to
	// names. to is an account, @ and a name, or a match.
	Say(text, to string) (Reached, error)

	// BeginDrain makes a server begin no new match. The server stops when its last session has ended, or after
	// within. node is the server's name. Another server than this one is only told, and may not have begun when
	// BeginDrain returns. The same holds for CancelDrain.
	BeginDrain(node string, within time.Duration) error
	// CancelDrain ends the drain of a server.
	CancelDrain(node string) error
	// DrainStatus returns the state of the drain at this server.
	DrainStatus() DrainStatus

	// AnnounceMaintenance announces to all players, with a message, that no new match begins after in. It holds on
	// every server that shares the database.
	AnnounceMaintenance(in time.Duration, message string) error
	// EndMaintenance ends maintenance, or calls it off.
	EndMaintenance() error
	// MaintenanceStatus returns the state of maintenance at this server.
	MaintenanceStatus() MaintenanceStatus
}

const about = `Look after the server: who is there, and what goes on.

Every command is recorded, with who gave it: see admin audit.`

// Command returns the command `admin` with all commands below it.
func (o *Operator) Command() cli.Command {
	return cli.Command{
		Use: "admin", Short: "Look after the server", Long: about, Role: cli.Moderator,
		Sub: []cli.Command{
			o.status(), o.reload(), o.logLevel(), o.who(), o.kick(), o.ban(), o.say(), o.maintenance(), o.drain(),
			o.match(), o.audit(), o.backup(), o.export(), o.importMatches(), o.servers(), o.player(),
		},
	}
}

// maxDuration limits durations that are added to the current time.
const maxDuration = 100 * 365 * 24 * time.Hour

// duration is the value of a flag: days, a Go duration, or both, such as 1d12h. Set accepts only positive values.
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
