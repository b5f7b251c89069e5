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

Their matches stay, for the opponents and the ratings: a random account takes their place, as after "me delete". Their
names, keys, preferences and the bans on them are deleted. This cannot be undone.`

var errForget = errors.New("name at least one player, or give --deleted, not both")

func forgetCommand() cli.Command {
	var data dataFlags
	deleted := false
	return cli.Command{
		Use: "forget [PLAYER...]", Short: "Erase players from the data of a stopped server", Long: aboutForget,
		Example: "notakto forget ann\nnotakto forget --deleted", Args: cli.AnyArguments,
		Flags: func(f *pflag.FlagSet) {
			data.add(f)
			f.BoolVar(&deleted, "deleted", false, "erase all players who deleted their accounts more than seven days ago")
		},
		Run: func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			if (len(args) == 0) != deleted {
				return cli.Answer{}, cli.Usage(errForget)
			}
			c, err := data.checkedStoreConfig()
			if err != nil {
				return cli.Answer{}, err
			}
			erased, err := store.Erase(ctx, c,
				func(d *account.Directory, stored map[match.PlayerID]bool) (erasure account.Erasure, err error) {
					chosen := d.Deleted()
					if !deleted {
						chosen, err = accountsNamed(d, stored, args)
					}
					return d.NewErasure(chosen...), err
				})
			return cli.Line("erased accounts: %d", len(erased)), err
		},
	}
}

// accountsNamed returns one account for each of words. A word is a claimed name, an account or the fingerprint of a
// key. The error names the first word without stored data.
func accountsNamed(
	d *account.Directory, stored map[match.PlayerID]bool, words []string,
) (ids []match.PlayerID, err error) {
	all := sshapp.NewAccounts(d, nil, nil, nil)
	for _, word := range words {
		id := match.PlayerID(word)
		switch {
		case account.IsFingerprint(id):
			id = d.Account(d.Key(word))
		case !stored[id]:
			id = all.Owner(strings.TrimPrefix(word, "@"))
		case !slices.Contains(d.Deleted(), id):
			if owner := d.Account(account.KeyID(id)); stored[owner] {
				id = owner // account id and its first key have one identifier, and that key is now linked to owner
			}
		}
		if !stored[id] {
			return nil, fmt.Errorf("there is no data of a player %q", word)
		}
		ids = append(ids, id)
	}
	return ids, nil
}
