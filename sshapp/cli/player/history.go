package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/store"
	"notakto/sshapp/wording"
)

const aboutHistory = `List a player's finished matches, the newest first: yours, or those of the player with a
claimed name or an account's identifier.

Matches of private tables are listed for their players only.`

// defaultLimit is how many matches are listed.
const defaultLimit = 20

var (
	errNoPlayer  = errors.New("it takes the name of a player, or an account's identifier: ssh HOST profile says your own")
	errNoHistory = errors.New("this server keeps no history")
	errLimit     = fmt.Errorf("it takes a whole number from 1 to %d", history.MaxPage)
)

// historyJSON is a match as `history --json` prints it. Its fields and their order are a promise (docs/commands.md).
type historyJSON struct {
	Match    match.ID  `json:"match"`
	Variant  string    `json:"variant"`
	Clock    string    `json:"clock"`
	Rated    bool      `json:"rated"`
	Opponent namedJSON `json:"opponent"`
	Result   string    `json:"result"`
	Reason   string    `json:"reason"`
	Plies    int       `json:"plies"`
	Ended    time.Time `json:"ended"`
}

type namedJSON struct {
	ID   match.PlayerID `json:"id"`
	Name string         `json:"name"`
}

func newHistory(e Env) *cobra.Command {
	asJSON, limit := false, defaultLimit
	cmd := newRecord(e, &cobra.Command{
		Use:     "history [NAME]",
		Short:   "List a player's finished matches",
		Long:    aboutHistory,
		Example: "ssh HOST history\nssh HOST history ann --limit 5 --json",
	}, func(ctx context.Context, w io.Writer, r record) error {
		all, err := r.List(ctx, r.player.ID, 0, limit, r.isOwn)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(w, historyOf(all))
		}
		if len(all) == 0 {
			_, err := fmt.Fprintln(w, "No match of "+r.player.Name+"'s has been finished yet.")
			return err
		}
		for _, entry := range all {
			if _, err := fmt.Fprintln(w, wording.HistoryLine(entry)+"  "+string(entry.Match)); err != nil {
				return err
			}
		}
		return nil
	})
	cmd.Flags().BoolVar(&asJSON, "json", asJSON, "one JSON value")
	addLimit(cmd, &limit, "matches")
	return cmd
}

func historyOf(all []history.Entry) []historyJSON {
	lines := make([]historyJSON, 0, len(all))
	for _, e := range all {
		lines = append(lines, historyJSON{
			Match: e.Match, Variant: e.Variant.String(), Clock: e.Clock.String(), Rated: e.Pool.IsRated(), Result: e.Result(),
			Opponent: namedJSON{e.Opponent.ID, e.Opponent.Name}, Reason: e.Reason, Plies: e.Plies,
			Ended: e.Ended.UTC().Truncate(time.Millisecond),
		})
	}
	return lines
}

// addLimit adds the flag that says how many of something are listed.
func addLimit(cmd *cobra.Command, limit *int, what string) {
	cmd.Flags().Func("limit", fmt.Sprintf("how many %s, 1 to %d (default %d)", what, history.MaxPage, defaultLimit),
		func(text string) (err error) {
			if *limit, err = strconv.Atoi(text); err != nil || *limit < 1 || *limit > history.MaxPage {
				return errLimit
			}
			return nil
		})
}

// record is whose history is asked for, and where it is.
type record struct {
	player match.Player
	isOwn  bool
	*store.History
}

// newRecord is a command about a player's history, which write prints.
func newRecord(e Env, cmd *cobra.Command, write func(context.Context, io.Writer, record) error) *cobra.Command {
	cmd.Args = Arguments(0, 1, "one name, or none for your own")
	e.readsHistory(cmd, func(cmd *cobra.Command, args []string, h *store.History) error {
		find := e.findRecord
		if e.Server == nil {
			find = localRecord
		}
		r, err := find(cmd.Context(), h, args)
		if err != nil {
			return err
		}
		return write(cmd.Context(), cmd.OutOrStdout(), r)
	})
	return cmd
}

// findRecord finds the player that a command names, or who asks.
func (e Env) findRecord(_ context.Context, h *store.History, args []string) (record, error) {
	switch {
	case len(args) == 0 && e.Server.Player.Guest:
		return record{}, account.ErrGuest
	case len(args) == 0:
		return record{e.Server.Player, true, h}, nil
	}
	p, err := e.Server.Accounts.Find(args[0])
	return record{p, p.ID == e.Server.Player.ID, h}, err
}

// localRecord finds a player in the history of a data directory, by the names that players had in their matches.
func localRecord(ctx context.Context, h *store.History, args []string) (record, error) {
	if len(args) == 0 {
		return record{}, errNoPlayer
	}
	found, err := h.Named(ctx, args[0])
	switch {
	case err != nil:
		return record{}, err
	case len(found) == 0:
		return record{}, fmt.Errorf("no finished match has a player %.40q", args[0])
	case len(found) > 1:
		return record{}, fmt.Errorf("several players had the name %.40q: name one by the account, %s", args[0],
			joinIDs(found))
	}
	return record{match.Player{ID: found[0], Name: args[0]}, true, h}, nil
}

func joinIDs(all []match.PlayerID) string {
	texts := make([]string, 0, len(all))
	for _, id := range all {
		texts = append(texts, string(id))
	}
	return strings.Join(texts, ", ")
}

// readsHistory makes a command that reads the server's history, or for a local command that of a server's data.
func (e Env) readsHistory(cmd *cobra.Command, do func(cmd *cobra.Command, args []string, h *store.History) error) {
	if e.Server != nil || e.Data == nil {
		cmd.RunE = e.needsServer(func(cmd *cobra.Command, args []string) error {
			if e.Server.History == nil {
				return errNoHistory
			}
			return do(cmd, args, e.Server.History)
		})
		return
	}
	open := e.Data(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := open(cmd.Context())
		if err != nil {
			return err
		}
		return RuntimeError(e.userError(errors.Join(do(cmd, args, s.History()), s.Close())))
	}
}
