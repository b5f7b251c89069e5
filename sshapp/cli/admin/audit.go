package admin

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/spf13/pflag"

	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

// AuditEntry is a command of an administrator, as the audit stores it and "audit --json" prints it.
type AuditEntry struct {
	Time  time.Time `json:"time,omitzero"` // set by the audit
	Actor string    `json:"actor"`         // an account, or "operator"
	Role  cli.Role  `json:"role"`
	cli.Record
	Node string `json:"node,omitempty"` // the server's name in a cluster
}

// maxRecorded limits the characters of an object or a reason in the audit.
const maxRecorded = 200

// AppendAudit appends a to audit. A nil audit keeps no record.
func AppendAudit(ctx context.Context, audit *store.Audit, a AuditEntry) error {
	if audit == nil {
		return nil
	}
	for _, text := range []*string{&a.Object, &a.Reason} {
		runes := []rune(cli.Printable(*text))
		*text = string(runes[:min(len(runes), maxRecorded)])
	}
	record, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return audit.Append(ctx, a.Command, record)
}

const maxActions = 10_000

var errNoAudit = errors.New("this server keeps no record of what administrators do")

func (o *Operator) audit() cli.Command {
	since := duration(24 * time.Hour)
	return cli.Command{
		Use: "audit", Short: "List what administrators have done, the oldest first", Role: cli.Administrator, JSON: true,
		Long: `List what administrators have done, the oldest first.

The server keeps each entry for a year, at most 10,000 of each command. It lists the newest 10,000 at most.`,
		Example: "ssh HOST admin audit --since 7d",
		Flags:   func(f *pflag.FlagSet) { f.Var(&since, "since", "how far back, such as 12h or 7d") },
		Run: func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
			if o.Audit == nil {
				return cli.Answer{}, errNoAudit
			}
			all := []AuditEntry{}
			err := o.Audit.Read(ctx, time.Now().Add(-time.Duration(since)), maxActions,
				func(at time.Time, record []byte) error {
					var a AuditEntry
					if json.Unmarshal(record, &a) != nil {
						a.Status = "unreadable"
					}
					a.Time = at.UTC().Truncate(time.Millisecond)
					all = append(all, a)
					return nil
				})
			return cli.Answer{JSON: all, Text: func(say cli.Say) {
				for _, a := range all {
					object, reason := "", ""
					if a.Object != "" {
						object = " " + a.Object
					}
					if a.Reason != "" {
						reason = ", because: " + a.Reason
					}
					say("%s  %s (%s)  %s%s: %s%s", wording.Time(a.Time), a.Actor, a.Role, a.Command, object, a.Status, reason)
				}
			}}, err
		},
	}
}
