package sshapp

import (
	"context"
	"time"

	"notakto/match/account"
	"notakto/sshapp/client"
)

// readVisitWithin is the longest wait for the answer whether a session is the first visit.
const readVisitWithin = 2 * time.Second

// isFirstVisit reports whether the account of ch is new, with one key and without preferences, matches and progress. A
// command may have claimed its name before. For a guest, or if the store cannot be read, the result is false.
func (s *Server) isFirstVisit(ch *channel) bool {
	id := ch.identity.ID
	info := s.accounts.Info(id)
	if ch.identity.key == "" || len(info.Keys) > 1 || info.Preferences != (account.Preferences{}) ||
		!info.DeletedAt.IsZero() || len(s.manager.PlayerMatches(id)) > 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ch.life.ctx, readVisitWithin)
	defer cancel()
	return client.New(s.manager).Exercises(ch.identity.Player, s.progress, s.inTurn(ch)).IsNew(ctx)
}
