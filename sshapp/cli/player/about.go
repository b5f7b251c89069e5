package player

import (
	"context"
	"fmt"
	"runtime"

	"notakto/sshapp/cli"
	"notakto/sshapp/plain"
	"notakto/sshapp/wording"
)

// Version is a program and its origin, as "version --json" prints it.
type Version struct {
	Version  string `json:"version"`            // of the release
	Revision string `json:"revision"`           // the commit, empty if unknown
	Modified bool   `json:"modified,omitempty"` // built from a tree with uncommitted changes
	Go       string `json:"go"`
	Data     int    `json:"data"`           // the format of the server's data
	Node     string `json:"node,omitempty"` // the server's name in a cluster
}

// shortRevision is the number of characters of Revision in a sentence.
const shortRevision = 12

// String returns the version, the commit and the tool chain, as "version" prints them.
func (v Version) String() string {
	if v.Go == "" {
		return v.Version
	}
	commit := ""
	if v.Revision != "" {
		commit = v.Revision[:min(len(v.Revision), shortRevision)] + ", "
	}
	if v.Modified {
		commit = "changed after " + commit
	}
	return fmt.Sprintf("%s (%s%s %s/%s)", v.Version, commit, v.Go, runtime.GOOS, runtime.GOARCH)
}

func (e Env) version() cli.Command {
	return cli.Command{
		Use: "version", Short: "Print the version", Example: e.Name + " version --json", JSON: true,
		Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			return cli.Answer{JSON: e.Version, Text: func(say cli.Say) { say("notakto %s", e.Version) }}, nil
		},
	}
}

func (e Env) rules() cli.Command {
	return cli.Command{
		Use: "rules", Short: "Explain the rules",
		Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			return cli.Answer{Text: func(say cli.Say) {
				for _, line := range plain.RulesText() {
					say("%s", line)
				}
				if e.Server != nil {
					limits := e.Server.Manager.TimeLimits()
					say("%s", wording.MoveLimits(limits.FirstMove, limits.LaterMove))
				}
			}}, nil
		},
	}
}
