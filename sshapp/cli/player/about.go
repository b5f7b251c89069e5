package player

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"notakto/sshapp/plain"
	"notakto/sshapp/wording"
)

// Version names a program and what it was built from. Its fields as JSON and their order are a promise
// (docs/commands.md).
type Version struct {
	Version  string `json:"version"`            // of the release
	Revision string `json:"revision"`           // the commit; empty if the build does not know it
	Modified bool   `json:"modified,omitempty"` // the tree had changes that the commit does not have
	Go       string `json:"go"`
	Data     int    `json:"data"`           // the format of what a server writes into its directory
	Node     string `json:"node,omitempty"` // the server's name among those that share its database
}

// shortRevision is how many characters of a commit stand in a sentence.
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

func newVersion(e Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Say which version this is",
		Example: e.Name + " version --json",
		Args:    NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return RuntimeError(writeJSON(cmd.OutOrStdout(), e.Version))
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "notakto", e.Version)
			return RuntimeError(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

func newRules(e Env) *cobra.Command {
	return &cobra.Command{
		Use:   "rules",
		Short: "Explain the rules",
		Args:  NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lines := plain.Rules()
			if e.Server != nil {
				limits := e.Server.Manager.TimeLimits()
				lines = append(lines, wording.MoveLimits(limits.FirstMove, limits.LaterMove))
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(lines, "\n"))
			return RuntimeError(err)
		},
	}
}
