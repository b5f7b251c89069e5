package history

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"time"

	"notakto/match"
)

// listedFor is how long a player without a rated pair stays on the ladder. It is counted back from the newest pair of
// the pool, not from now: so the ladder changes with a pair only, and is the same on all nodes.
const listedFor = 30 * 24 * time.Hour

// ladder has the listed players of a pool in memory, the best first, so that sessions read it without the database.
type ladder struct {
	mu     sync.RWMutex
	listed []Standing
	newest time.Time // pair
}

type ladders [match.LastPool + 1]ladder

// pool returns the ladder of a pool; that of casual matches is empty.
func (l *ladders) pool(pool match.Pool) *ladder { return &l[min(pool, match.LastPool)] }

// compare orders the ladder.
func compare(a, b Standing) int {
	return cmp.Or(cmp.Compare(b.Rating.Points, a.Rating.Points), cmp.Compare(a.Rating.Deviation, b.Rating.Deviation),
		cmp.Compare(a.Player.ID, b.Player.ID))
}

// read makes the ladders from the database.
func (l *ladders) read(ctx context.Context, db *sql.DB) (err error) {
	rows, err := db.QueryContext(ctx, `SELECT `+standingColumns+` FROM ratings`)
	if err != nil {
		return err
	}
	all := make(map[match.Pool][]Standing)
	for rows.Next() {
		s, err := readStanding(rows)
		if err != nil {
			_ = rows.Close() // the first error counts
			return err
		}
		all[s.Pool] = append(all[s.Pool], s)
	}
	for pool := range l {
		l[pool].replace(all[match.Pool(pool)])
	}
	return cmp.Or(rows.Err(), rows.Close())
}

// replace makes the ladder of some standings.
func (l *ladder) replace(all []Standing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listed, l.newest = nil, time.Time{}
	for _, s := range all {
		if s.Ended.After(l.newest) {
			l.newest = s.Ended
		}
	}
	for _, s := range all {
		if l.lists(s) {
			l.listed = append(l.listed, s)
		}
	}
	slices.SortFunc(l.listed, compare)
}

// update puts the new standings of players in the place of their old ones.
func (l *ladder) update(changed []Standing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	isChanged := make(map[match.PlayerID]bool, len(changed))
	for _, s := range changed {
		isChanged[s.Player.ID] = true
		if s.Ended.After(l.newest) {
			l.newest = s.Ended
		}
	}
	l.listed = slices.DeleteFunc(l.listed, func(s Standing) bool { return isChanged[s.Player.ID] || !l.lists(s) })
	for _, s := range changed {
		if l.lists(s) {
			at, _ := slices.BinarySearchFunc(l.listed, s, compare)
			l.listed = slices.Insert(l.listed, at, s)
		}
	}
}

// lists reports whether a standing is on the ladder. The caller holds the lock.
func (l *ladder) lists(s Standing) bool {
	return s.Rating.Listed() && s.Ended.After(l.newest.Add(-listedFor))
}

// rank returns the rank of a standing, 0 if it is not listed, and the number of listed players.
func (l *ladder) rank(s Standing) (rank, players int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if at, ok := slices.BinarySearchFunc(l.listed, s, compare); ok {
		rank = at + 1
	}
	return rank, len(l.listed)
}

// Ladder returns the listed players of a pool after the first few, the best first: limit at most, and [MaxPage]. It
// does not read the database. A deleted account is left out, and keeps its rank until the next pair.
func (s *Store) Ladder(pool match.Pool, after, limit int) (page []Standing) {
	l := s.ladders.pool(pool)
	l.mu.RLock()
	defer l.mu.RUnlock()
	for i := max(after, 0); i < len(l.listed) && len(page) < min(limit, MaxPage); i++ {
		standing := l.listed[i]
		standing.Rank, standing.Players = i+1, len(l.listed)
		shown := s.shown(standing.Player)
		if shown.ID != standing.Player.ID {
			continue
		}
		standing.Player = shown
		page = append(page, standing)
	}
	return page
}

// Standing returns where a player stands, with the rank.
func (s *Store) Standing(ctx context.Context, pool match.Pool, p match.PlayerID) (Standing, error) {
	standing, err := readStanding(s.db.QueryRowContext(ctx, selectStanding, pool, string(p)))
	if err != nil {
		return standing, fmt.Errorf("read the history: %w", err)
	}
	standing.Rank, standing.Players = s.ladders.pool(pool).rank(standing)
	return standing, nil
}
