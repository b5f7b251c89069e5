package player

import (
	"context"
	"fmt"
	"runtime"

	"notakto/sshapp/cli"
	"notakto/sshapp/plain"
	"notakto/sshapp/wording"
)

// Version names a program and what it was built from, as `version --json` prints it.
type Version struct {
	Version  string `json:"version"`            // of the release
	Revision string `json:"revision"`           // the commit; empty if the build does not know it
	Modified bool   `json:"modified,omitempty"` // the tree had changes that the commit does not have
	Go       string `json:"go"`
	Data     int    `json:"data"`           // the format of what a server writes into its directory
	Node     string `json:"node,omitempty"` // the server's name among those that share its database
}

// shortRevision is the length to which a sentence shortens the name of a commit.
const shortRevision = 12

// String returns the version with the commit and the tool chain, as `version` says it.
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
		Use: "version", Short: "Say which version this is", Example: e.Name + " version --json", JSON: true,
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
				for _, line := range plain.Rules() {
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
