package admin

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/command"
)

// Server is what the commands ask of the server. Its methods may be called from any goroutine.
type Server interface {
	// Status returns how the server does.
	Status() Status
	// Sessions returns those that go on, the oldest first.
	Sessions() []Session

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
	Players  func(match.Player) *command.Server // the server as a player may use it
	Matches  Matches
	Process  Process
	Audit    Audit        // nil for none
	Record   func(Record) // is called after each command
	Storage

	IsTerminal bool // standard input and output are a terminal
}

// Record is one command as the log, the audit and the counters have it.
type Record struct {
	Command string `json:"command"` // one of [Commands]
	Object  string `json:"object"`  // what it was done to, as it was named
	Reason  string `json:"reason"`  // the administrator's
	Status  string `json:"status"`  // one of [Statuses]
}

// How a command has ended.
const (
	done    = "ok"
	failed  = "failed"
	refused = "refused" // to the role
)

// Statuses returns how a command may end.
func Statuses() []string { return []string{done, failed, refused} }

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
		Use: "admin", Short: "Look after the server", Long: about, Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return command.RuntimeError(cmd.Help()) },
	}
	cmd.AddCommand(newStatus(e), newReload(e), newLogLevel(e))
	cmd.AddCommand(newWho(e), newKick(e), newBan(e), newSay(e))
	cmd.AddCommand(newMaintenance(e), newDrain(e))
	cmd.AddCommand(newMatch(e), newAudit(e))
	cmd.AddCommand(newBackup(e), newExport(e), newImport(e), newCluster(e), newPlayer(e))
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
		return command.RuntimeError(err)
	}
}

// objectOf is the annotation of what a command was done to, if that is not to be recorded as it was typed.
const objectOf = "notakto: object"

// reasonFlag is the flag of a reason.
const reasonFlag = "reason"

// ownWords returns the first arguments of a command, as many as it takes, if the others belong to the text of a flag:
// ssh sends words without the quotes around them. Without that flag it returns all.
func ownWords(cmd *cobra.Command, args []string, takes int, flag string) []string {
	text := cmd.Flags().Lookup(flag)
	if len(args) <= takes || !text.Changed {
		return args
	}
	_ = text.Value.Set(text.Value.String() + " " + strings.Join(args[takes:], " ")) // a text takes all
	cmd.Annotations[objectOf] = strings.Join(args[:takes], " ")
	return args[:takes]
}

// usage is an error of the command line.
type usage struct{ error }

// row is what a command has besides what it does.
type row struct {
	use, short, long, example string
	args                      cobra.PositionalArgs
	isForModerators           bool
}

// newCommand returns a command with --json, for which do writes to w.
func newCommand(r row, do func(cmd *cobra.Command, args []string) error) *cobra.Command {
	cmd := &cobra.Command{Use: r.use, Short: r.short, Long: r.long, Example: r.example, Args: r.args, RunE: do,
		Annotations: map[string]string{}}
	if r.isForModerators {
		cmd.Annotations[forModerators] = ""
	}
	return cmd
}

// answer is what a command prints.
type answer struct {
	value any                     // as JSON
	text  func(w io.Writer) error // in words
}

// lateError is told after the answer.
type lateError struct{ error }

// answering returns a command that prints what do returns: in words, or with --json as one JSON value.
func (r row) answering(do func(cmd *cobra.Command, args []string) (answer, error)) *cobra.Command {
	asJSON := false
	cmd := newCommand(r, func(cmd *cobra.Command, args []string) error {
		a, err := do(cmd, args)
		late := lateError{}
		switch {
		case err != nil && !errors.As(err, &late):
			return err
		case asJSON:
			err = json.NewEncoder(cmd.OutOrStdout()).Encode(a.value)
		default:
			err = a.text(cmd.OutOrStdout())
		}
		return errors.Join(err, late.error)
	})
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

// maxDuration bounds what is added to the time of today.
const maxDuration = 100 * 365 * 24 * time.Hour

// duration is the value of a flag: a time as Go writes it, which may begin with days. One that is set is more than
// zero.
type duration time.Duration

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

var errDuration = errors.New("it takes a time such as 90s, 24h, 7d or 1d12h")

// String implements pflag.Value.
func (d *duration) String() string { return time.Duration(*d).String() }

// Type implements pflag.Value.
func (d *duration) Type() string { return "time" }
