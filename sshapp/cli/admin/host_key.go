package admin

import (
	"context"

	"golang.org/x/crypto/ssh"

	"notakto/hostkeys"
	"notakto/sshapp/cli"
)

// AboutHostKey is the help of "host-key", of the server and of the local program.
const AboutHostKey = `Print the fingerprint of the host key, its line for known_hosts and its DNS record.

The line and the record are for the address of --public-address. A client with the line does not ask whether to trust
the server. With --next-host-key, the next key follows.`

func (o *Operator) hostKey() cli.Command {
	return cli.Command{
		Use: "host-key", Short: "Print the host key for known_hosts and DNS", Long: AboutHostKey, Role: cli.Moderator,
		JSON: true, Example: "ssh HOST admin host-key",
		Run: func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			return ShowHostKeys(o.PublicAddress, o.HostKeys), nil
		},
	}
}

// ShowHostKeys answers "host-key". keys has the key in use, then the next one if there is one. address may be empty.
func ShowHostKeys(address hostkeys.Address, keys []ssh.PublicKey) cli.Answer {
	type key struct {
		Fingerprint string `json:"fingerprint"`
		PublicKey   string `json:"public_key"`
		Next        bool   `json:"next"`
		KnownHosts  string `json:"known_hosts,omitempty"`
		SSHFP       string `json:"sshfp,omitempty"` // none for an IP address
	}
	all := make([]key, len(keys))
	for i, public := range keys {
		all[i] = key{Fingerprint: ssh.FingerprintSHA256(public), PublicKey: hostkeys.PublicKey(public), Next: i > 0}
		if address != "" {
			all[i].KnownHosts, all[i].SSHFP = address.KnownHosts(public), address.SSHFP(public)
		}
	}
	return cli.Answer{JSON: all, Text: func(say cli.Say) {
		for _, k := range all {
			if k.Next {
				say("\nThe next host key:")
			}
			say("fingerprint, as ssh shows it:\n  %s", k.Fingerprint)
			if address == "" {
				say("public key (set --public-address for a line of known_hosts and a DNS record):\n  %s", k.PublicKey)
				continue
			}
			say("line of known_hosts:\n  %s", k.KnownHosts)
			if k.SSHFP != "" {
				say("DNS record:\n  %s", k.SSHFP)
			}
		}
	}}
}
