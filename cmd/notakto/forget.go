package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/store"
	"notakto/sshapp"
	"notakto/sshapp/cli"
)

const aboutForget = `Erase players from the data of a stopped server, by their claimed names, their accounts or the
fingerprints of their keys.

Their matches stay, for the opponents and the ratings: a random account stands in their place, as after "me delete".
Their names, keys and all they have decided are gone, also the bans on them. It cannot be undone.`

var errForget = errors.New("it takes a PLAYER, or --deleted")

func forgetCommand() cli.Command {
	var data dataFlags
	deleted := false
	return cli.Command{
		Use: "forget [PLAYER...]", Short: "Erase players from the data of a stopped server", Long: aboutForget,
		Example: "notakto forget ann\nnotakto forget --deleted", Args: cli.AnyArguments,
		Flags: func(f *pflag.FlagSet) {
			data.add(f)
			f.BoolVar(&deleted, "deleted", false, "all who have deleted their accounts more than seven days ago")
		},
		Run: func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			if (len(args) == 0) != deleted {
				return cli.Answer{}, cli.Usage(errForget)
			}
			c, err := data.storeConfig()
			if err != nil {
				return cli.Answer{}, err
			}
			erased, err := store.Erase(ctx, c,
				func(d *account.Directory, stored map[match.PlayerID]bool) (ids account.Erasure, err error) {
					chosen := d.Deleted()
					if !deleted {
						chosen, err = accountsNamed(d, stored, args)
					}
					return d.Erase(chosen...), err
				})
			return cli.Line("erased accounts: %d", len(erased)), err
		},
	}
}

// accountsNamed returns the accounts that words name. Each word is a claimed name, an account or the fingerprint of a
// key. The error names a word for which nothing is stored.
func accountsNamed(
	d *account.Directory, stored map[match.PlayerID]bool, words []string,
) (ids []match.PlayerID, err error) {
	all := sshapp.NewAccounts(d, nil, nil)
	for _, word := range words {
		id := match.PlayerID(word)
		switch {
		case account.IsFingerprint(id):
			id = d.Account(d.Key(word))
		case !stored[id]:
			id = all.Owner(strings.TrimPrefix(word, "@"))
		case !slices.Contains(d.Deleted(), id):
			if owner := d.Account(account.KeyID(id)); stored[owner] {
				id = owner // the key of this account was linked to owner
			}
		}
		if !stored[id] {
			return nil, fmt.Errorf("nothing is stored here of a player %q", word)
		}
		ids = append(ids, id)
	}
	return ids, nil
}
