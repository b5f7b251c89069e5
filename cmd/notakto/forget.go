package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/store"
	"notakto/sshapp"
	"notakto/sshapp/cli/player"
)

const aboutForget = `Erase players from the data of a stopped server, by their claimed names, their accounts or the
fingerprints of their keys.

Their matches stay, for the opponents and the ratings: a random account stands in their place, as after "me delete".
Their names, keys and all they have decided are gone, also the bans on them. It cannot be undone.`

var errForget = errors.New("it takes a PLAYER, or --deleted")

func newForget() *cobra.Command {
	deleted := false
	cmd := &cobra.Command{
		Use: "forget [PLAYER...]", Short: "Erase players from the data of a stopped server", Long: aboutForget,
		Example: "notakto forget ann\nnotakto forget --deleted", Args: cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	data := dataFlags(cmd)
	cmd.Flags().BoolVar(&deleted, "deleted", false, "all who have deleted their accounts more than seven days ago")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if (len(args) == 0) != deleted {
			return errForget
		}
		c, err := data()
		if err != nil {
			return err
		}
		choose := func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error) {
			ids := d.Deleted()
			if !deleted {
				ids, err = accountsNamed(d, stored, args)
			}
			return d.Erase(ids...), err
		}
		erased, err := store.Erase(cmd.Context(), c, choose)
		if err == nil {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "erased accounts: %d\n", len(erased))
		}
		return player.RuntimeError(err)
	}
	return cmd
}

// accountsNamed returns the accounts that words name: each word is a claimed name, an account or the fingerprint of a
// key. It returns an error if nothing is stored of one.
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
				id = owner // to which the key of this account was linked
			}
		}
		if !stored[id] {
			return nil, fmt.Errorf("nothing is stored here of a player %q", word)
		}
		ids = append(ids, id)
	}
	return ids, nil
}
