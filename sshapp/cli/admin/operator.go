// Package admin has the commands below "admin". Administrators give them over SSH or the control socket. [Keys] tells
// the administrators and their roles.
//
// An [Operator] is one administrator with the parts of the server that the commands use. [Operator.Command] returns
// the commands for package cli. Package cli checks the roles and records each command. Package sshapp implements
// [Server] and stores the records with [AppendAudit]. The local program also runs the commands that need only [Data] on
// the data of a stopped server. The package starts no goroutine.
package admin

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/hostkeys"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/cli"
)

// Operator is the administrator of a command, with the server that the command is for.
type Operator struct {
	Actor      string // an account, or "operator" at the control socket
	Server     Server
	Accounts   *account.Accounts
	Manager    *manager.Manager
	History    *store.History  // may be nil
	Progress   *store.Progress // may be nil
	Audit      *store.Audit    // may be nil
	Data       *Data           // may be nil
	Process    Process
	IsTerminal bool // standard input and output are a terminal

	HostKeys      []ssh.PublicKey // the key in use, then the next one if there is one
	PublicAddress hostkeys.Address
}

// Server is the SSH server as the commands see it. An interface breaks the cycle, because the SSH server imports this
// package. Methods may be called from any goroutine.
type Server interface {
	// Status returns the state of this server.
	Status() Status
	// Sessions returns the sessions of this server, the oldest first.
	Sessions() []Session
	// Servers returns the servers that share the database, including this one.
	Servers() []Peer

	// Ban bans as [account.Accounts.Ban] does. hit is the number of sessions of this server that the ban keeps out. Ban
	// refuses a network with a proxy of the setting proxy-from.
	Ban(ctx context.Context, b account.Ban, lasts time.Duration, kick bool) (made account.Ban, hit int, err error)
	// Kick ends sessions on every server that shares the database. to is a session's name, an account, or @ and a name.
	// The players read reason and keep their seats, as after a lost connection. The caller's own session does not end.
	// Kick returns an error if it finds no session.
	Kick(to, reason string) (Delivery, error)
	// Say shows text in sessions on every server that shares the database. to is an account, @ and a name, or a match.
	// An empty to means all sessions.
	Say(text, to string) (Delivery, error)

	// StartDrain makes a server begin no new match. The server stops when its last session has ended, or after within.
	// node is the server's name. A server other than this one gets only a request, and may begin the drain later.
	StartDrain(node string, within time.Duration) error
	// CancelDrain ends the drain of a server, with a request as in StartDrain.
	CancelDrain(node string) error
	// DrainStatus returns the state of the drain at this server.
	DrainStatus() DrainStatus

	// AnnounceMaintenance tells all players, with message, that no new match begins after in. The announcement holds on
	// every server that shares the database.
	AnnounceMaintenance(in time.Duration, message string) error
	// EndMaintenance ends maintenance, or calls it off.
	EndMaintenance() error
	// MaintenanceStatus returns the state of maintenance at this server.
	MaintenanceStatus() MaintenanceStatus
}

const about = `Administer the server.

The server records each command and its author: see admin audit.`

// Command returns the command "admin" with all commands below it.
func (o *Operator) Command() cli.Command {
	return cli.Command{
		Use: "admin", Short: "Administer the server", Long: about, Role: cli.Moderator,
		Sub: []cli.Command{
			o.status(), o.reload(), o.logLevel(), o.who(), o.kick(), o.ban(), o.say(), o.maintenance(), o.drain(),
			o.match(), o.audit(), o.backup(), o.export(), o.importMatches(), o.servers(), o.player(),
			o.hostKey(),
		},
	}
}

// maxDuration keeps times that are added to the present from overflowing.
const maxDuration = 100 * 365 * 24 * time.Hour

// duration is the value of a flag in days, as a Go duration or as both, such as 1d12h. Set accepts only positive
// values.
type duration time.Duration

var errDuration = errors.New("it takes a time such as 90s, 24h, 7d or 1d12h")

// Set implements [pflag.Value].
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

// String implements [pflag.Value]. A zero duration is "", because the help would otherwise print 0s as a default.
func (d *duration) String() string {
	if *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}

// Type implements [pflag.Value].
func (d *duration) Type() string { return "time" }
