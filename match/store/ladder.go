package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules"
)

// pairsADay limits the pairs of games that count for the ratings of two players in a pool on a day of UTC.
const pairsADay = history.PairsADay

type ratingKey struct {
	pool   match.Pool
	player match.PlayerID
}

// meetingKey is the key for the number of pairs of games that two players have played in a pool on a day.
type meetingKey struct {
	pool             match.Pool
	player, opponent match.PlayerID // player is the smaller one
	day              int64          // since 1970, in UTC
}

func meetingOf(s *match.State) meetingKey {
	first, second := s.Seat(rules.First).Player.ID, s.Seat(rules.Second).Player.ID
	return meetingKey{s.Pool, min(first, second), max(first, second), s.EndedAt.Unix() / secondsADay}
}

const secondsADay = 24 * 60 * 60

// canBeRated reports whether the match is the last game of a rated pair between two different accounts. No guest
// or computer may play for a rating. The package match/manager checks that first.
func canBeRated(s *match.State) bool {
	first, second := s.Seat(rules.First).Player, s.Seat(rules.Second).Player
	return s.IsPairOver() && !first.Guest && !first.IsComputer() && !second.Guest && !second.IsComputer() &&
		first.ID != second.ID
}

const standingColumns = `t.pool, t.player, t.name, t.points, t.deviation, t.volatility, t.pairs, t.won, t.split, t.lost,
	t.ended`

const (
	writeStanding statement = `INSERT INTO rating SELECT pool, player, name, points, deviation, volatility, pairs, won,
		split, lost, ended, position FROM {pool bigint, player text, name text, points bigint, deviation bigint,
		volatility bigint, pairs bigint, won bigint, split bigint, lost bigint, ended bigint, position bigint} WHERE true
		ON CONFLICT (pool, player) DO UPDATE SET name = excluded.name, points = excluded.points,
		deviation = excluded.deviation, volatility = excluded.volatility, pairs = excluded.pairs, won = excluded.won,
		split = excluded.split, lost = excluded.lost, ended = excluded.ended, position = excluded.position`
	insertRated statement = `INSERT INTO rated SELECT pool, player, position, opponent, result, counts, before_points,
		before_deviation, points, deviation, pairs FROM {pool bigint, player text, position bigint, opponent text,
		result bigint, counts bigint, before_points bigint, before_deviation bigint, points bigint, deviation bigint,
		pairs bigint}`
	writeMeeting statement = `INSERT INTO meeting SELECT pool, player, opponent, day, pairs FROM {pool bigint,
		player text, opponent text, day bigint, pairs bigint} WHERE true
		ON CONFLICT (pool, player, opponent, day) DO UPDATE SET pairs = excluded.pairs`
)

// Values of the column counts of table rated.
const (
	countsNot = iota // the players have ended too many pairs on this day
	countsYes
	countsNotInNetwork // see history.NetworkPoints
)

// addPair counts the rated pair that ends with game s, if one does, and rates it. A pair is not rated if the players
// have ended more than pairsADay pairs on this day, this one included, or if [history.NetworkPoints] forbids it. Only
// the log is used, because every server must compute equal ratings.
func (r *results) addPair(g *group, s *match.State, position int64) {
	if !canBeRated(s) {
		return
	}
	meeting := meetingOf(s)
	g.answers.meetings[meeting]++
	r.changedMeetings = append(r.changedMeetings, meeting)
	counts := countsYes
	if g.answers.meetings[meeting] > pairsADay {
		counts = countsNot
	}
	var both [2]history.Standing
	var keys [2]ratingKey
	for i, side := range rules.Sides() {
		p := s.Seat(side).Player
		keys[i] = ratingKey{s.Pool, p.ID}
		both[i] = g.answers.standings[keys[i]]
		both[i].Pool, both[i].Player = s.Pool, match.Player{ID: p.ID, Name: p.Name}
	}
	before := [2]rating.Rating{both[0].Rating, both[1].Rating}
	const networkLimit = history.NetworkPoints * 1000
	if s.Pair.SameNetwork && counts == countsYes && max(before[0].Points, before[1].Points) > networkLimit {
		counts = countsNotInNetwork
	}
	if counts == countsYes {
		result := rating.Result(s.PairPoints(rules.First))
		both[0].Rating, both[1].Rating = rating.Update(ratingAt(both[0], s.EndedAt), ratingAt(both[1], s.EndedAt), result)
		for i := range both {
			if s.Pair.SameNetwork {
				both[i].Rating.Points = min(both[i].Rating.Points, networkLimit)
			}
		}
	}
	for i, side := range rules.Sides() {
		result := rating.Result(s.PairPoints(side))
		switch result {
		case rating.Won:
			both[i].Won++
		case rating.Split:
			both[i].Split++
		case rating.Lost:
			both[i].Lost++
		}
		if s.EndedAt.After(both[i].Ended) {
			both[i].Ended = time.UnixMicro(s.EndedAt.UnixMicro()).UTC() // as it is stored
		}
		g.answers.standings[keys[i]] = both[i]
		r.changedRatings = append(r.changedRatings, keys[i])
		after := both[i].Rating
		g.batch.add(insertRated, int64(s.Pool), string(keys[i].player), position, string(keys[1-i].player), int64(result),
			int64(counts), int64(before[i].Points), int64(before[i].Deviation), int64(after.Points),
			int64(after.Deviation), int64(after.Pairs))
	}
}

func (r *results) writeRatings(g *group) {
	r.newStandings = nil
	for key := range unique(r.changedRatings) {
		s := g.answers.standings[key]
		r.newStandings = append(r.newStandings, s)
		g.batch.add(writeStanding, int64(s.Pool), string(s.Player.ID), s.Player.Name, int64(s.Rating.Points),
			int64(s.Rating.Deviation), int64(s.Rating.Volatility), int64(s.Rating.Pairs), int64(s.Won), int64(s.Split),
			int64(s.Lost), s.Ended.UnixMicro(), g.position)
	}
	for m := range unique(r.changedMeetings) {
		g.batch.add(writeMeeting, int64(m.pool), string(m.player), string(m.opponent), m.day, int64(g.answers.meetings[m]))
	}
}

func unique[T comparable](all []T) map[T]bool {
	set := make(map[T]bool, len(all))
	for _, one := range all {
		set[one] = true
	}
	return set
}

// ratingAt returns the rating of s at the time now, with the deviation that has grown since the last pair.
func ratingAt(s history.Standing, now time.Time) rating.Rating {
	if s.Ended.IsZero() {
		return s.Rating
	}
	return s.Rating.AfterIdle(now.Sub(s.Ended))
}

func readStanding(scan scan) (s history.Standing, err error) {
	var ended int64
	r := &s.Rating
	err = scan(&s.Pool, &s.Player.ID, &s.Player.Name, &r.Points, &r.Deviation, &r.Volatility, &r.Pairs, &s.Won, &s.Split,
		&s.Lost, &ended)
	s.Ended = time.UnixMicro(ended).UTC()
	return s, err
}

// listedFor is the time that a player stays on the ladder after a rated pair. The time is measured to the newest
// pair of the pool, not to now. The ladder therefore changes only with a pair, and is equal on all servers.
const listedFor = 30 * 24 * time.Hour

// ladder holds the listed players of a pool, for sessions to read without the database.
type ladder struct {
	mu     sync.RWMutex
	listed []history.Standing // the best first
	newest time.Time          // the end of the newest pair
}

// ladders holds the ladder of each pool. The ladder of casual matches stays empty.
type ladders [match.LastPool + 1]ladder

func (l *ladders) ladder(pool match.Pool) *ladder { return &l[min(pool, match.LastPool)] }

// compareStandings orders the ladder by points, then by the smaller deviation, then by ID.
func compareStandings(a, b history.Standing) int {
	return cmp.Or(cmp.Compare(b.Rating.Points, a.Rating.Points), cmp.Compare(a.Rating.Deviation, b.Rating.Deviation),
		cmp.Compare(a.Player.ID, b.Player.ID))
}

func (l *ladders) read(ctx context.Context, db querier) error {
	all := make(map[match.Pool][]history.Standing)
	err := each(ctx, db, `SELECT `+standingColumns+` FROM rating t`, nil, func(scan scan) error {
		s, err := readStanding(scan)
		all[s.Pool] = append(all[s.Pool], s)
		return err
	})
	if err != nil {
		return err
	}
	for pool := range l {
		l[pool].replace(all[match.Pool(pool)])
	}
	return nil
}

func (l *ladder) replace(all []history.Standing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listed, l.newest = nil, time.Time{}
	for _, s := range all {
		l.newest = latest(l.newest, s.Ended)
	}
	for _, s := range all {
		if l.isListed(s) {
			l.listed = append(l.listed, s)
		}
	}
	slices.SortFunc(l.listed, compareStandings)
}

func (l *ladders) update(changed []history.Standing) {
	all := make(map[match.Pool][]history.Standing)
	for _, s := range changed {
		all[s.Pool] = append(all[s.Pool], s)
	}
	for pool, changed := range all {
		l.ladder(pool).update(changed)
	}
}

func (l *ladder) update(changed []history.Standing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	isChanged := make(map[match.PlayerID]bool, len(changed))
	for _, s := range changed {
		isChanged[s.Player.ID] = true
		l.newest = latest(l.newest, s.Ended)
	}
	l.listed = slices.DeleteFunc(l.listed, func(s history.Standing) bool {
		return isChanged[s.Player.ID] || !l.isListed(s)
	})
	for _, s := range changed {
		if l.isListed(s) {
			at, _ := slices.BinarySearchFunc(l.listed, s, compareStandings)
			l.listed = slices.Insert(l.listed, at, s)
		}
	}
}

// isListed reports whether a standing belongs on the ladder. The caller holds l.mu.
func (l *ladder) isListed(s history.Standing) bool {
	return s.Rating.IsListed() && s.Ended.After(l.newest.Add(-listedFor))
}

// rank returns the rank of a standing, 0 if it is not listed, and the number of listed players.
func (l *ladder) rank(s history.Standing) (rank, players int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if at, ok := slices.BinarySearchFunc(l.listed, s, compareStandings); ok {
		rank = at + 1
	}
	return rank, len(l.listed)
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// selectNewStandings reads the standings that changed after position $1, up to position $2.
const selectNewStandings = `SELECT ` + standingColumns + ` FROM rating t WHERE t.position > $1 AND t.position <= $2`

// Ladder skips the best listed players of a pool, as many as skip says, and returns the next ones, the best first. The
// page has at most limit and at most [history.MaxPage] players. Deleted accounts are left out and keep their ranks.
// Ladder does not read the database.
func (h *History) Ladder(pool match.Pool, skip, limit int) (page []history.Standing) {
	l := h.ladders.ladder(pool)
	l.mu.RLock()
	defer l.mu.RUnlock()
	for i := max(skip, 0); i < len(l.listed) && len(page) < min(limit, history.MaxPage); i++ {
		standing := l.listed[i]
		standing.Rank, standing.Players = i+1, len(l.listed)
		shown := h.asShown(standing.Player)
		if shown.ID != standing.Player.ID {
			continue
		}
		standing.Player = shown
		page = append(page, standing)
	}
	return page
}

// Standing returns the standing of a player in a pool, with the rank. Without a rated pair the rating is a new
// player's.
func (h *History) Standing(ctx context.Context, pool match.Pool, p match.PlayerID) (history.Standing, error) {
	all, err := h.Standings(ctx, pool, p)
	return all[p], err
}

// Standings returns the result of [History.Standing] for many players, with one query.
func (h *History) Standings(ctx context.Context, pool match.Pool, players ...match.PlayerID) (
	map[match.PlayerID]history.Standing, error,
) {
	all, args := make(map[match.PlayerID]history.Standing, len(players)), []any{int64(pool)}
	var parameters []string
	for _, p := range players {
		all[p] = history.Standing{Rating: rating.New()}
		args = append(args, string(p))
		parameters = append(parameters, fmt.Sprintf("$%d", len(args)))
	}
	query := `SELECT ` + standingColumns + ` FROM rating t WHERE t.pool = $1 AND t.player IN (` +
		strings.Join(parameters, ", ") + `)`
	err := h.each(ctx, query, args, func(scan scan) error {
		s, err := readStanding(scan)
		all[s.Player.ID] = s
		return err
	})
	for p, s := range all {
		s.Rank, s.Players = h.ladders.ladder(pool).rank(s)
		all[p] = s
	}
	return all, err
}

// RatedPairs returns rated pairs of p, the newest first, at most limit and at most [history.MaxPage]. Unless oldestSeen
// is the zero value, RatedPairs returns only pairs that ended before oldestSeen.
func (h *History) RatedPairs(ctx context.Context, pool match.Pool, p match.PlayerID, oldestSeen history.RatedPair,
	limit int) (all []history.RatedPair, err error) {
	return h.queryPairs(ctx, pool, p, `($3 = '' OR r.position < (SELECT position FROM finished WHERE match = $3))
		ORDER BY r.position DESC LIMIT $4`, string(oldestSeen.Match), pageSize(limit))
}

// queryPairs reads the rated pairs of a player that meet an SQL condition. args are its arguments from $3 on.
func (h *History) queryPairs(ctx context.Context, pool match.Pool, p match.PlayerID, condition string, args ...any) (
	all []history.RatedPair, err error,
) {
	err = h.each(ctx, `SELECT f.match, r.opponent,
		CASE WHEN f.first = r.player THEN f.second_name ELSE f.first_name END,
		r.result, r.counts, r.before_points, r.before_deviation, r.points, r.deviation, r.pairs, f.ended
		FROM rated r JOIN finished f ON f.position = r.position
		WHERE r.pool = $1 AND r.player = $2 AND `+condition,
		append([]any{int64(pool), string(p)}, args...), func(scan scan) error {
			var r history.RatedPair
			var counts, ended int64
			err := scan(&r.Match, &r.Opponent.ID, &r.Opponent.Name, &r.Result, &counts, &r.Before.Points,
				&r.Before.Deviation, &r.After.Points, &r.After.Deviation, &r.After.Pairs, &ended)
			r.Opponent, r.Ended = h.asShown(r.Opponent), time.UnixMicro(ended)
			r.Counts, r.IsInNetwork = counts == countsYes, counts == countsNotInNetwork
			all = append(all, r)
			return err
		})
	return all, err
}

// ErrNotRated says that a match was not the last game of a rated pair.
var ErrNotRated = errors.New("the match did not end a rated pair")

// RatedPair returns the rated pair that ends with game m, as the player of side sees it, and that player's standing
// now. The error is [ErrNotRated] if m has ended no rated pair.
func (h *History) RatedPair(ctx context.Context, m *match.State, side rules.Side) (
	history.RatedPair, history.Standing, error,
) {
	p := m.Seat(side).Player.ID
	pairs, err := h.queryPairs(ctx, m.Pool, p, `f.match = $3`, string(m.ID))
	if err == nil && len(pairs) == 0 {
		err = ErrNotRated
	}
	if err != nil {
		return history.RatedPair{}, history.Standing{}, err
	}
	standing, err := h.Standing(ctx, m.Pool, p)
	return pairs[0], standing, err
}

// DumpRatings writes all rows that are computed from rated pairs, one a line, in an order that is equal on every
// server.
func (h *History) DumpRatings(ctx context.Context, w io.Writer) error {
	for _, table := range [...]struct {
		query   string
		columns int
	}{
		{`SELECT 'rating', ` + standingColumns + ` FROM rating t ORDER BY 2, 3`, 12},
		{`SELECT 'rated', pool, player, position, opponent, result, counts, before_points, before_deviation,
			points, deviation, pairs FROM rated ORDER BY 2, 3, 4`, 12},
		{`SELECT 'meeting', pool, player, opponent, day, pairs FROM meeting ORDER BY 2, 3, 4, 5`, 6},
	} {
		err := h.each(ctx, table.query, nil, func(scan scan) error {
			values, into := make([]any, table.columns), make([]any, table.columns)
			for i := range values {
				into[i] = &values[i]
			}
			if err := scan(into...); err != nil {
				return err
			}
			_, err := fmt.Fprintln(w, values...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
