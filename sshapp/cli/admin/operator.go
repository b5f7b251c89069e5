// Package admin has the commands below `admin`, by which administrators look after the server over SSH or by the
// control socket, and the [Keys] that say who is an administrator.
//
// An [Operator] is one who gives commands, with the parts of the server that the commands use; [Operator.Command]
// returns the commands for package cli, which guards their roles and has each command recorded. The sshapp package
// implements [Server], and keeps the records with [Keep]. [Data] is also what the local program uses on the data of a
// stopped server. The package starts no goroutine.
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

// Operator gives commands to a server.
type Operator struct {
	Actor      string // an account, or the operator
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

	// Kick ends a session, or all of an account, on every server that shares the database: to is a session's name, an
	// account, or @ and a name. Their players read the reason, and keep their seats as after a lost connection. The
	// session of the caller goes on. The error says that there is none.
	Kick(to, reason string) (Reached, error)
	// Say shows a text in every session, or in those of an account, of @ and a name, or of the players of a match, on
	// every server that shares the database.
	Say(text, to string) (Reached, error)

	// BeginDrain has a server begin no new match, and stop when the last session has ended or the time is over. A node
	// other than this server, by its name, is only told so; so it is by CancelDrain.
	BeginDrain(node string, within time.Duration) error
	// CancelDrain takes that back.
	CancelDrain(node string) error
	// DrainStatus returns how it stands at this server.
	DrainStatus() DrainStatus

	// AnnounceMaintenance has no new match begin from then on, on every server that shares the database, and announces
	// that to all players, with a message.
	AnnounceMaintenance(in time.Duration, message string) error
	// EndMaintenance takes it back.
	EndMaintenance() error
	// MaintenanceStatus returns how it stands at this server.
	MaintenanceStatus() MaintenanceStatus
}

const about = `Look after the server: who is there, and what goes on.

Every command is recorded, with who gave it: see admin audit.`

// Command returns the command `admin` with all below it.
func (o *Operator) Command() cli.Command {
	return cli.Command{
		Use: "admin", Short: "Look after the server", Long: about, Role: cli.Moderator,
		Sub: []cli.Command{
			o.status(), o.reload(), o.logLevel(), o.who(), o.kick(), o.ban(), o.say(), o.maintenance(), o.drain(),
			o.match(), o.audit(), o.backup(), o.export(), o.importMatches(), o.servers(), o.player(),
		},
	}
}

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
