package admin

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/cli/player"
	"notakto/sshapp/wording"
)

// Peer is a server that shares the database. Its JSON is a promise (docs/commands.md).
type Peer struct {
	Name     string    `json:"name"`
	Up       bool      `json:"up"`
	Version  string    `json:"version"`
	Since    time.Time `json:"since"`     // its start
	LastSeen time.Time `json:"last_seen"` // its last heartbeat
	HostKey  string    `json:"host_key"`  // its fingerprint
}

func newServers(e Env) *cobra.Command {
	return (row{
		use: "servers", short: "List the servers that share the database", args: player.NoArguments,
	}).answering(func(*cobra.Command, []string) (answer, error) {
		all := e.Server.Servers()
		return answer{all, func(w io.Writer) error { return peersInWords(w, all) }}, nil
	})
}

func peersInWords(w io.Writer, all []Peer) (err error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(fields ...any) {
		if err == nil {
			_, err = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", fields...)
		}
	}
	keys, versions := map[string]bool{}, map[string]bool{}
	row("SERVER", "STATE", "VERSION", "SINCE", "HOST KEY")
	for _, p := range all {
		state := "up"
		if !p.Up {
			state = "does not answer since " + wording.Time(p.LastSeen)
		}
		row(p.Name, state, p.Version, wording.Time(p.Since), p.HostKey)
		keys[p.HostKey], versions[p.Version] = true, true
	}
	err = errors.Join(err, t.Flush())
	if err == nil && len(keys) > 1 {
		_, err = fmt.Fprintln(w, "The host keys differ: give all servers the same one, and restart them.")
	}
	if err == nil && len(versions) > 1 {
		_, err = fmt.Fprintln(w, "The versions differ: restart the servers with the older one.")
	}
	return err
}
