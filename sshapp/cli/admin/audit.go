package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// Audit keeps what administrators have done, for all servers that share a database.
type Audit interface {
	// Append stores a record of a command.
	Append(ctx context.Context, command string, record []byte) error
	// Read calls fn with the records since a time, the oldest first; of more than most with the newest. It ends when fn
	// fails.
	Read(ctx context.Context, since time.Time, most int, fn func(at time.Time, record []byte) error) error
}

// Action is a command that was given. Its JSON is a promise (docs/commands.md), and is what the audit stores.
type Action struct {
	Time  time.Time `json:"time,omitzero"` // set by the audit
	Actor string    `json:"actor"`         // an account, or operator
	Role  Role      `json:"role"`
	Record
	Node string `json:"node,omitempty"` // the server, where several share a database
}

// maxRecorded is how many characters of what an administrator has typed are stored.
const maxRecorded = 200

// Keep stores an action. It does nothing without an audit.
func Keep(ctx context.Context, audit Audit, a Action) error {
	if audit == nil {
		return nil
	}
	for _, text := range []*string{&a.Object, &a.Reason} {
		runes := []rune(player.Printable(*text))
		*text = string(runes[:min(len(runes), maxRecorded)])
	}
	record, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return audit.Append(ctx, a.Command, record)
}

// maxActions is how many actions are shown.
const maxActions = 10_000

// errNoAudit says that a server keeps no audit.
var errNoAudit = errors.New("this server keeps no record of what administrators do")

func newAudit(e Env) *cobra.Command {
	since := duration(24 * time.Hour)
	cmd := (row{
		use: "audit", short: "List what administrators have done, the oldest first", args: player.NoArguments,
		long: `List what administrators have done, the oldest first. It is kept for a year, of each command 10,000 times.
At most 10,000 are listed: the newest.`,
		example: "ssh HOST admin audit --since 7d",
	}).answering(func(cmd *cobra.Command, _ []string) (answer, error) {
		if e.Audit == nil {
			return answer{}, errNoAudit
		}
		all := []Action{}
		err := e.Audit.Read(cmd.Context(), time.Now().Add(-time.Duration(since)), maxActions,
			func(at time.Time, record []byte) error {
				var a Action
				if json.Unmarshal(record, &a) != nil {
					a.Status = "unreadable"
				}
				a.Time = at.UTC().Truncate(time.Millisecond)
				all = append(all, a)
				return nil
			})
		return answer{all, func(w io.Writer) error { return actionsInWords(w, all) }}, err
	})
	cmd.Flags().Var(&since, "since", "for how long back, such as 12h or 7d")
	return cmd
}

func actionsInWords(w io.Writer, all []Action) error {
	for _, a := range all {
		object, reason := "", ""
		if a.Object != "" {
			object = " " + a.Object
		}
		if a.Reason != "" {
			reason = ", because: " + a.Reason
		}
		_, err := fmt.Fprintf(w, "%s  %s (%s)  %s%s: %s%s\n", wording.Time(a.Time), a.Actor, a.Role, a.Command,
			object, a.Status, reason)
		if err != nil {
			return err
		}
	}
	return nil
}
