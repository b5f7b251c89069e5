package store

import (
	"context"
	"time"

	"notakto/match"
)

const (
	// MaxNotices limits the notices of an account in 24 hours.
	MaxNotices = 20
	// MaxChallengeNotices is the limit for a notice of a challenge. It counts all notices of the account in 24 hours.
	// Strangers with many accounts therefore cannot use up the notices of the account's matches.
	MaxChallengeNotices = MaxNotices / 2
	// SeenEvery is the least time between two calls of [Notices.MarkSeen] for an account.
	SeenEvery = time.Minute

	quietTime = 5 * time.Minute     // without notices after a key of the player
	noticeAge = 30 * 24 * time.Hour // until the row of a notice is deleted
	seenItem  = "seen"              // of the row with the last key
)

// Claim is the answer of [Notices.Claim].
type Claim uint8

// The answers of [Notices.Claim].
const (
	ClaimRefused Claim = iota // the notice must not be sent, now or later
	ClaimHeld                 // the player was active lately, ask again later
	ClaimGranted              // the caller must send the notice
)

// Notices decides which server sends a notice, a message that reaches a player outside the game. Rows are deleted
// after 30 days. Safe for concurrent use. Errors wrap [match.ErrUnavailable].
type Notices struct{ store *Store }

// Notices returns the notices of accounts.
func (s *Store) Notices() *Notices { return &Notices{s} }

// noticeAnswer holds the rows of an account that decide a claim.
type noticeAnswer struct {
	isClaimed bool
	seen      time.Time
	recent    int // in the last 24 hours
}

// Claim asks to send an account the notice of an occasion. item names the occasion. since is the time when the occasion
// began. Claim grants an item to one server, once. Claim refuses the notice if the account had most or more notices in
// the last 24 hours. Claim also refuses it if the player pressed a key after since, because the player has then seen
// the occasion on the screen.
func (n *Notices) Claim(
	ctx context.Context, account match.PlayerID, item string, since time.Time, most int,
) (c Claim, err error) {
	dayAgo := n.store.Now().Add(-24 * time.Hour)
	err = n.store.do(ctx, &request{
		keys:         []string{noticeKey(account)},
		addQuestions: func(g *group) { g.answers.askNotices(account, item, dayAgo) },
		decide: func(g *group) error {
			a := g.answers.notices[account]
			switch {
			case a.isClaimed, a.recent >= most, a.seen.After(since):
				c = ClaimRefused
			case g.time().Sub(a.seen) < quietTime+SeenEvery:
				c = ClaimHeld
			default:
				c = ClaimGranted
				g.batch.add(addNotice, string(account), item, g.clock)
				if g.batch.rows[forgetNotices] == nil {
					g.batch.add(forgetNotices, g.time().Add(-noticeAge).UnixMicro())
				}
			}
			return nil
		},
	})
	return c, err
}

// MarkSeen records that the player of an account pressed a key at a time of [Store.Now].
func (n *Notices) MarkSeen(ctx context.Context, account match.PlayerID, at time.Time) error {
	return n.store.do(ctx, &request{keys: []string{noticeKey(account)}, decide: func(g *group) error {
		g.batch.add(markSeen, string(account), seenItem, at.UnixMicro())
		return nil
	}})
}

func noticeKey(account match.PlayerID) string { return "notice " + string(account) }

const (
	noticeColumns = `{account text, item text, at bigint}`

	addNotice     statement = `INSERT INTO notice SELECT account, item, at FROM ` + noticeColumns
	forgetNotices statement = `DELETE FROM notice WHERE at < (SELECT at FROM {at bigint})`
	deleteNotices statement = `DELETE FROM notice WHERE account IN (SELECT r.account FROM {account text})`
	markSeen      statement = `INSERT INTO notice SELECT account, item, at FROM ` + noticeColumns + ` WHERE true
		ON CONFLICT (account, item) DO UPDATE SET at = excluded.at`
)
