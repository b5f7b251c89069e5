package client

import (
	"context"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/match/store"
)

// Totals sums up the finished matches of a player. During a rated pair with a live clock the chances are missing,
// because they would tell whether a player of the first game could have won it. A nil m knows of no match.
func Totals(
	ctx context.Context, h *store.History, m *manager.Manager, p match.PlayerID,
) (history.Totals, error) {
	t, err := h.Totals(ctx, p)
	if m != nil && m.PlaysRated(p) {
		t.Chances, t.Kept = 0, 0
	}
	return t, err
}
