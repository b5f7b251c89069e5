package admin

import (
	"cmp"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/sshapp/command"
	"notakto/sshapp/wording"
)

// Session is a session that goes on. Its JSON is a promise (docs/commands.md).
type Session struct {
	ID       string         `json:"session"`
	Account  match.PlayerID `json:"account"`
	Name     string         `json:"name"`
	Address  string         `json:"address"` // without a port; empty by the control socket
	FrontEnd string         `json:"front_end"`
	Since    time.Time      `json:"since"`
	Idle     int64          `json:"idle_seconds"` // since the player has typed something
	Matches  []match.ID     `json:"match"`        // of the player, in progress
}

func newWho(e Env) *cobra.Command {
	id, network := "", ""
	cmd := (row{
		use: "who", short: "List the sessions, the oldest first", args: command.NoArguments,
		example: "ssh HOST admin who --address 192.0.2.0/24", isForModerators: true,
	}).answering(func(*cobra.Command, []string) (answer, error) {
		isNear := func(string) bool { return true }
		if network != "" {
			near, err := parseNetwork(network)
			if err != nil {
				return answer{}, err
			}
			isNear = func(address string) bool {
				ip, err := netip.ParseAddr(address)
				return err == nil && near.Contains(ip)
			}
		}
		all := slices.DeleteFunc(e.Server.Sessions(), func(s Session) bool {
			return !isNear(s.Address) || id != "" && !slices.Contains(s.Matches, match.ID(id))
		})
		if all == nil {
			all = []Session{}
		}
		return answer{all, func(w io.Writer) error { return whoInWords(w, all) }}, nil
	})
	cmd.Flags().StringVar(&id, "match", id, "only of the players of a match, by its `name`")
	cmd.Flags().StringVar(&network, "address", network, "only from an address or a `network`")
	return cmd
}

func whoInWords(w io.Writer, all []Session) error {
	for _, s := range all {
		line := fmt.Sprintf("%s  %s  %s from %s on %s, since %s, idle for %s", s.ID, s.Account, s.Name,
			cmp.Or(s.Address, "here"), s.FrontEnd, wording.Time(s.Since), time.Duration(s.Idle)*time.Second)
		if len(s.Matches) > 0 {
			line += ", plays " + strings.Join(texts(s.Matches), " ")
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// parseNetwork reads an address or a network.
func parseNetwork(text string) (netip.Prefix, error) {
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" {
		ip = ip.Unmap()
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if err != nil || strings.Contains(text, "%") || network.Addr().Is4In6() {
		return network, usage{fmt.Errorf("%.60q is neither an address nor a network, such as 192.0.2.0/24", text)}
	}
	return network.Masked(), nil
}
