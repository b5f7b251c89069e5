package admin

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/cli/player"
)

// Server is what the commands ask of the server. Its methods may be called from any goroutine.
type Server interface {
	// Status returns how the server does.
	Status() Status
	// Sessions returns those that go on, the oldest first.
	Sessions() []Session
	// Servers returns those that share the database, this one among them.
	Servers() []Peer

	Kicker
	Speaker
	Drainer
	Maintainer
}

// Env is who gives a command, and to which server.
type Env struct {
	Role     Role
	Actor    string // an account, or the operator
	Server   Server
	Accounts *account.Accounts
	Players  func(match.Player) *player.Server // the server as a player may use it
	Matches  Matches
	Process  Process
	Audit    Audit        // nil for none
	Record   func(Record) // is called after each command
	Data     Data         // may be nil

	// IsTerminal says that standard input and output are a terminal.
	IsTerminal bool
}

// Record is one command as the log, the audit and the counters have it.
type Record struct {
	Command string `json:"command"` // one of [Commands]
	Object  string `json:"object"`  // what it was done to, as it was named
	Reason  string `json:"reason"`  // the administrator's
	Status  string `json:"status"`  // ok, failed or refused
}

// How a command has ended.
const (
	done    = "ok"
	failed  = "failed"
	refused = "refused" // to the role
)

// forModerators marks the commands that moderators may give. The others are for administrators alone.
const forModerators = "notakto: for moderators"

// errModerator is the refusal of a command that is not for moderators.
var errModerator = errors.New("this is for administrators: your key has the role moderator")

const about = `Look after the server: who is there, and what goes on.

Every command is recorded, with who gave it: see admin audit.`

// New returns the command `admin` with all below it, or nil for a player: to those it is unknown.
func New(e Env) *cobra.Command {
	if e.Role == Player {
		return nil
	}
	cmd := &cobra.Command{
		Use: "admin", Short: "Look after the server", Long: about, Args: player.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return player.RuntimeError(cmd.Help()) },
	}
	cmd.AddCommand(newStatus(e), newReload(e), newLogLevel(e))
	cmd.AddCommand(newWho(e), newKick(e), newBan(e), newSay(e))
	cmd.AddCommand(newMaintenance(e), newDrain(e))
	cmd.AddCommand(newMatch(e), newAudit(e))
	cmd.AddCommand(newBackup(e), newExport(e), newImport(e), newServers(e), newPlayer(e))
	for _, leaf := range leaves(cmd) {
		e.guard(leaf)
	}
	return cmd
}

// Commands returns the names of all commands, such as "ban add", sorted.
func Commands() []string {
	root := New(Env{Role: Administrator})
	var all []string
	for _, leaf := range leaves(root) {
		all = append(all, nameOf(leaf))
	}
	return slices.Sorted(slices.Values(all))
}

// nameOf returns the words of a command behind `admin`.
func nameOf(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath()+" ", "admin ")
	return strings.TrimSpace(name)
}

// leaves returns the commands below one that do something.
func leaves(cmd *cobra.Command) (all []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.HasSubCommands() {
			all = append(all, leaves(sub)...)
		} else {
			all = append(all, sub)
		}
	}
	return all
}

// guard has a command refuse those who may not give it, and tell the records of each time that it is given. An error
// of the command is no fault of the command line, unless it is a [usage].
func (e Env) guard(cmd *cobra.Command) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r := Record{Command: nameOf(cmd), Object: strings.Join(args, " "), Status: refused}
		_, moderators := cmd.Annotations[forModerators]
		err := errModerator
		if e.Role == Administrator || moderators {
			r.Status = done
			if err = run(cmd, args); err != nil {
				r.Status = failed
			}
		}
		r.Object = cmp.Or(cmd.Annotations[objectOf], r.Object)
		if reason := cmd.Flags().Lookup(reasonFlag); reason != nil {
			r.Reason = reason.Value.String()
		}
		e.Record(r)
		if errors.As(err, new(usage)) {
			return err
		}
		return player.RuntimeError(err)
	}
}
