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

// Action is a command that an administrator gave, as the audit stores it and `audit --json` prints it.
type Action struct {
	Time  time.Time `json:"time,omitzero"` // set by the audit
	Actor string    `json:"actor"`         // an account, or "operator"
	Role  cli.Role  `json:"role"`
	cli.Record
	Node string `json:"node,omitempty"` // the server's name if several servers share the database
}

// maxRecorded is the most characters that are stored of a text that an administrator has typed.
const maxRecorded = 200

// Keep stores an action. It does nothing if audit is nil.
func Keep(ctx context.Context, audit *store.Audit, a Action) error {
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
		Long: `List what administrators have done, the oldest first. It is kept for a year, of each command 10,000 times.
At most 10,000 are listed: the newest.`,
		Example: "ssh HOST admin audit --since 7d",
		Flags:   func(f *pflag.FlagSet) { f.Var(&since, "since", "for how long back, such as 12h or 7d") },
		Run: func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
			if o.Audit == nil {
				return cli.Answer{}, errNoAudit
			}
			all := []Action{}
			err := o.Audit.Read(ctx, time.Now().Add(-time.Duration(since)), maxActions,
				func(at time.Time, record []byte) error {
					var a Action
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
