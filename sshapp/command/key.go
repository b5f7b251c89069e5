package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/wording"
)

const aboutKey = `Use one account with several keys, such as those of two machines.

On the machine that has the account, key add prints a code; on the other one, key link CODE uses it within ten minutes.
What that key has played before stays with its own account. A key that you remove has an account of its own from its
next login on.`

// keyJSON is a key as `key list --json` prints it.
type keyJSON struct {
	ID     account.KeyID `json:"id"`
	Linked *time.Time    `json:"linked"` // null for the key that the account began with
	Used   bool          `json:"used"`   // it is that of this login
}

func (k keyJSON) inWords() string {
	text := string(k.ID)
	if k.Linked != nil {
		text += ", linked on " + wording.Time(*k.Linked)
	}
	if k.Used {
		text += ", which you use now"
	}
	return text
}

// keysOf are the keys of the player's account, the oldest first.
func (h *Server) keysOf(info account.Info) []keyJSON {
	all := []keyJSON{}
	for _, key := range info.Keys {
		all = append(all, keyJSON{key.ID, timeOrNull(key.Since), key.ID == h.Caller.Key})
	}
	return all
}

func newKey(d Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "key",
		Short:   "Use one account with several keys",
		Long:    aboutKey,
		Example: "ssh HOST key add\nssh HOST key link CFHJKMPQ",
		Args:    NoArguments,
	}
	list := newKeyList(d)
	cmd.RunE = list.RunE
	cmd.AddCommand(list, newKeyAdd(d), newKeyLink(d), newKeyRemove(d))
	return cmd
}

func newKeyList(d Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the keys of your account",
		Args:  NoArguments,
		RunE: d.needsServer(func(cmd *cobra.Command, _ []string) error {
			h := d.Server
			if h.Caller.Key == "" {
				return account.ErrGuest
			}
			all := h.keysOf(h.Accounts.InfoOf(h.Caller))
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), all)
			}
			var text strings.Builder
			for _, key := range all {
				fmt.Fprintln(&text, key.inWords())
			}
			_, err := io.WriteString(cmd.OutOrStdout(), text.String())
			return err
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	return cmd
}

func newKeyAdd(d Env) *cobra.Command {
	return &cobra.Command{
		Use:   "add",
		Short: "Print a code by which another key is linked to your account",
		Args:  NoArguments,
		RunE: d.answers(func(ctx context.Context, h *Server, _ []string) (string, error) {
			code, err := h.Accounts.MakeCode(ctx, h.Caller)
			return fmt.Sprintf("Log in with the other key within ten minutes: ssh %s key link %s",
				d.Host, code), err
		}),
	}
}

func newKeyLink(d Env) *cobra.Command {
	return &cobra.Command{
		Use:   "link CODE",
		Short: "Link the key that you log in with to the account that has made a code",
		Args:  Arguments(1, 1, "the code that key add prints"),
		RunE: d.answers(func(ctx context.Context, h *Server, args []string) (string, error) {
			if len(h.Manager.MatchesOf(h.Player.ID)) > 0 {
				return "", errPlaying
			}
			return "This key is linked to the account from your next login on.",
				h.Accounts.Link(ctx, h.Caller, match.Code(args[0]))
		}),
	}
}

func newKeyRemove(d Env) *cobra.Command {
	return &cobra.Command{
		Use:   "remove ID",
		Short: "Remove a key from your account",
		Args:  Arguments(1, 1, "the identifier of a key, as key list prints it"),
		RunE: d.answers(func(ctx context.Context, h *Server, args []string) (string, error) {
			key := account.KeyID(strings.ToLower(args[0]))
			return fmt.Sprintf("The key %s is removed.", key), h.Accounts.RemoveKey(ctx, h.Caller, key)
		}),
	}
}
