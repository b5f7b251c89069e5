package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
)

// Progress keeps the answers, runs, slips and lessons of accounts, as values of package progress. Guests and computers
// have no progress, and every method ignores them. The transaction that ends a match writes the slips of its players.
//
// A nil Progress keeps no progress. A Progress is safe for concurrent use. A change is durable when its method returns
// without an error. After an error the caller may try again, because a repeated change has no effect. Errors wrap
// [match.ErrUnavailable].
type Progress struct{ store *Store }

// Progress returns the progress of accounts.
func (s *Store) Progress() *Progress { return &Progress{s} }

// Keeps reports whether p keeps the progress of a player.
func (p *Progress) Keeps(player match.Player) bool {
	return p != nil && player.ID != "" && !player.Guest && !player.IsComputer()
}

// State returns the progress of a player.
func (p *Progress) State(ctx context.Context, player match.Player) (progress.State, error) {
	if !p.Keeps(player) {
		return progress.State{}, nil
	}
	return p.read(ctx, ``, string(player.ID))
}

// IsNew reports whether an account has no finished match and no progress.
func (p *Progress) IsNew(ctx context.Context, account match.PlayerID) (isNew bool, err error) {
	err = p.each(ctx, `SELECT NOT EXISTS (SELECT 1 FROM progress WHERE account = $1)
		AND NOT EXISTS (SELECT 1 FROM player WHERE player = $1 AND matches > 0)`, []any{string(account)},
		func(scan scan) error { return scan(&isNew) })
	return isNew, err
}

// Answer records the answer of a player to a puzzle of a day, and returns the recorded answer. Answer records
// only the first answer of an account, even if several devices or servers send one. For a guest the result is a.
func (p *Progress) Answer(ctx context.Context, player match.Player, a progress.Answer) (progress.Answer, error) {
	if !p.Keeps(player) {
		return a, nil
	}
	r := progressRow{
		Kind: answerKind, Item: fmt.Sprintf("%d/%d", a.Day, a.Index), Day: a.Day, Value: int(bit(a.Right)),
		Detail: a.Move.String(), At: a.At,
	}
	if err := p.record(ctx, player, r); err != nil {
		return progress.Answer{}, err
	}
	s, err := p.read(ctx, `AND p.kind = 'answer' AND p.item = $2`, string(player.ID), r.Item)
	if err != nil || len(s.Answers) == 0 { // the account may have been deleted since
		return a, err
	}
	first := s.Answers[0]
	if first.Move == a.Move && first.At.Equal(a.At.Truncate(time.Microsecond)) {
		shares := &p.store.dayResults(a.Day).shares
		shares.mu.Lock()
		defer shares.mu.Unlock()
		// A query that ran since record has counted the answer already. The count is then too large until the next query.
		shares.value[a.Index].All++
		shares.value[a.Index].Right += int(bit(a.Right))
	}
	return first, nil
}

// dayResults holds the results of the last queries for a day. The shares include the answers recorded here since.
type dayResults struct {
	shares cached[[puzzle.PerDay]progress.Share]
	day    cached[progress.Day]
	best   cached[[]progress.BestRun]
}

func (s *Store) dayResults(day int) *dayResults {
	d, _ := s.days.LoadOrStore(day, new(dayResults))
	return d.(*dayResults)
}

// cached holds the result of a query for maxAge. The query reads all answers or runs of a day.
type cached[T any] struct {
	mu     sync.Mutex // held during the query, to run one at a time
	value  T
	readAt time.Time
}

const maxAge = 10 * time.Second

func (c *cached[T]) get(query func() (T, error)) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.readAt) < maxAge {
		return c.value, nil
	}
	value, err := query()
	if err == nil {
		c.value, c.readAt = value, time.Now()
	}
	return value, err
}

// Shares returns how the accounts answered the puzzles of a day. Answers from other servers may be missing for
// ten seconds.
func (p *Progress) Shares(ctx context.Context, day int) (all [puzzle.PerDay]progress.Share, err error) {
	if p == nil {
		return all, nil
	}
	return p.store.dayResults(day).shares.get(func() (all [puzzle.PerDay]progress.Share, err error) {
		err = p.each(ctx, `SELECT item, CAST(sum(value) AS BIGINT), count(*) FROM progress
			WHERE kind = 'answer' AND day = $1 GROUP BY item`, []any{int64(day)}, func(scan scan) error {
			var item string
			var s progress.Share
			err := scan(&item, &s.Right, &s.All)
			if index, ok := itemNumber(item); ok && index < len(all) {
				all[index] = s
			}
			return err
		})
		return all, err
	})
}

// Day sums up a day. The result may be ten seconds old. If matches of earlier days are imported on that day or
// later, the matches that ended before the import are missing.
func (p *Progress) Day(ctx context.Context, day int) (progress.Day, error) {
	if p == nil {
		return progress.Day{}, nil
	}
	return p.store.dayResults(day).day.get(func() (progress.Day, error) { return p.readDay(ctx, day) })
}

func (p *Progress) readDay(ctx context.Context, day int) (all progress.Day, err error) {
	// The table finished has no index by time. The query reads only the matches behind the last one that ended before
	// the day, because matches that end later have a higher position.
	err = p.each(ctx, `SELECT count(*) FROM finished WHERE ended >= $1 AND ended < $2
		AND (winner > 0 OR reason NOT IN ('abandoned', 'operator') AND reason NOT IN `+challengeReasons+`)
		AND position > coalesce(
		(SELECT position FROM finished WHERE ended < $1 ORDER BY position DESC LIMIT 1), -1)`,
		[]any{puzzle.Begin(day).UnixMicro(), puzzle.Begin(day + 1).UnixMicro()},
		func(scan scan) error { return scan(&all.Matches) })
	if err != nil {
		return progress.Day{}, err
	}
	err = p.each(ctx, `SELECT count(*) FROM (SELECT account FROM progress WHERE kind = 'answer' AND day = $1
		GROUP BY account HAVING CAST(sum(value) AS BIGINT) = $2) solved`, []any{int64(day), int64(puzzle.PerDay)},
		func(scan scan) error { return scan(&all.Solved) })
	if err != nil {
		return progress.Day{}, err
	}
	best, err := p.BestRuns(ctx, day)
	if err != nil {
		return progress.Day{}, err
	}
	if len(best) > 0 {
		all.Best = best[0]
	}
	return all, nil
}

// FinishRun records a run if it is the best of the player on its day.
func (p *Progress) FinishRun(ctx context.Context, player match.Player, r progress.Run) error {
	if !p.Keeps(player) {
		return nil
	}
	err := p.record(ctx, player, progressRow{
		Kind: runKind, Item: strconv.Itoa(r.Day), Day: r.Day, Value: r.Solved, Detail: player.Name, At: r.At,
	})
	best := &p.store.dayResults(r.Day).best
	best.mu.Lock()
	defer best.mu.Unlock()
	if n := len(best.value); r.Solved > 0 && (n < bestRuns || r.Solved > best.value[n-1].Solved) {
		best.readAt = time.Time{} // the next BestRuns reads this run
	}
	return err
}

// bestRuns is the number of runs that BestRuns returns.
const bestRuns = 10

// BestRuns returns the ten best runs of a day, one of each player, the best first. Of equal runs the earlier one is
// first. Runs without a solved puzzle are left out. Runs on other servers may be missing for ten seconds.
func (p *Progress) BestRuns(ctx context.Context, day int) ([]progress.BestRun, error) {
	if p == nil {
		return nil, nil
	}
	all, err := p.store.dayResults(day).best.get(func() ([]progress.BestRun, error) { return p.readBestRuns(ctx, day) })
	return slices.Clone(all), err
}

func (p *Progress) readBestRuns(ctx context.Context, day int) (all []progress.BestRun, err error) {
	err = p.each(ctx, `SELECT account, detail, value, at FROM progress WHERE kind = 'run' AND day = $1 AND value > 0
		ORDER BY value DESC, at, account LIMIT $2`, []any{int64(day), int64(bestRuns)}, func(scan scan) error {
		var player match.Player
		r := progress.Run{Day: day}
		var at int64
		err := scan(&player.ID, &player.Name, &r.Solved, &at)
		r.At = time.UnixMicro(at)
		all = append(all, progress.BestRun{Player: p.store.history.asShown(player), Run: r})
		return err
	})
	return all, err
}

// AnswerSlip records an answer to a slip on a day, and returns the recorded slip. A slip that is not due stays as it
// is. Another device may have answered it. The error is [progress.ErrNoSlip] if the player has no such slip.
func (p *Progress) AnswerSlip(ctx context.Context, player match.Player, id match.ID, ply int, right bool, today int) (
	progress.Slip, error,
) {
	item := slipItem(id, ply)
	find := func() (progress.Slip, error) {
		s, err := p.read(ctx, `AND p.kind = 'slip' AND p.item = $2`, string(player.ID), item)
		switch {
		case err != nil:
			return progress.Slip{}, err
		case len(s.Slips) == 0:
			return progress.Slip{}, progress.ErrNoSlip
		}
		return s.Slips[0], nil
	}
	before, err := find()
	if err != nil || before.Due > today || before.IsGone() {
		return before, err
	}
	after := before.Answer(right, today)
	err = p.change(ctx, player.ID, func(g *group) {
		g.batch.add(answerSlip, string(player.ID), item, int64(after.Solved), int64(after.Due), int64(before.Due))
	})
	if err != nil {
		return before, err
	}
	return find() // another device may have been faster
}

// CompleteStep records that a player has done the steps of a lesson up to step. Lessons and steps count from 1.
func (p *Progress) CompleteStep(ctx context.Context, player match.Player, lesson, step int) error {
	return p.record(ctx, player, progressRow{Kind: lessonKind, Item: strconv.Itoa(lesson), Value: step})
}

// MarkVisited records that the first visit of a player is over.
func (p *Progress) MarkVisited(ctx context.Context, player match.Player) error {
	return p.record(ctx, player, progressRow{Kind: visitKind, Value: 1})
}

// DeleteAccounts deletes the progress and the notices of accounts.
func (p *Progress) DeleteAccounts(ctx context.Context, accounts ...match.PlayerID) error {
	for some := range slices.Chunk(accounts, 1000) {
		r := &request{decide: func(g *group) error {
			for _, id := range some {
				g.batch.add(deleteProgress, string(id))
				g.batch.add(deleteNotices, string(id))
			}
			return nil
		}}
		for _, id := range some {
			r.keys = append(r.keys, progressKey(id), noticeKey(id))
		}
		if err := p.store.do(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// Kinds of rows in table progress.
const (
	answerKind = "answer" // Item is the day and the index, Value is 1 for a right answer, Detail the move
	runKind    = "run"    // Item is the day, Value the number of solved puzzles, Detail the player's name
	slipKind   = "slip"   // Item is the match and the ply, Day is Due, Value is Solved, Detail position and move
	lessonKind = "lesson" // Item is the number of the lesson, Value the number of its steps that are done
	visitKind  = "visit"  // one row after the first visit
)

// progressRow is a row of table progress, and a line of an export.
type progressRow struct {
	Format  string         `json:"format"`
	Account match.PlayerID `json:"account"`
	Kind    string         `json:"kind"`
	Item    string         `json:"item,omitempty"` // tells the rows of a kind apart
	Match   match.ID       `json:"match,omitempty"`
	Day     int            `json:"day"`
	Value   int            `json:"value"`
	Detail  string         `json:"detail,omitempty"`
	At      time.Time      `json:"at"` // of a slip, the end of the match
}

const (
	progressValues = `SELECT account, kind, item, match, day, value, detail, at FROM {account text, kind text,
		item text, match text, day bigint, value bigint, detail text, at bigint} WHERE true ON CONFLICT `
	// keepFirst keeps the row that is there already.
	keepFirst statement = `INSERT INTO progress ` + progressValues + `DO NOTHING`
	// keepBest replaces a row with a lower value. A group must not have two such rows with one key, because PostgreSQL
	// cannot change a row twice in one statement.
	keepBest statement = `INSERT INTO progress ` + progressValues + `(account, kind, item) DO UPDATE SET
		value = excluded.value, detail = excluded.detail, at = excluded.at WHERE excluded.value > progress.value`
	// answerSlip changes a slip only while its day equals the argument before. An answer from another device changes
	// the day.
	answerSlip statement = `UPDATE progress SET value = r.value, day = r.day FROM {account text, item text,
		value bigint, day bigint, before bigint}
		WHERE progress.account = r.account AND progress.kind = 'slip' AND progress.item = r.item
		AND progress.day = r.before`
	deleteProgress statement = `DELETE FROM progress WHERE account IN (SELECT r.account FROM {account text})`
)

// dropOldSlips returns the statement that deletes all but the newest [progress.MaxSlips] slips of an account. Slips of
// one match are equally old. If one of them is among the newest, all stay.
func dropOldSlips() statement {
	return statement(fmt.Sprintf(`DELETE FROM progress WHERE kind = 'slip' AND (account, item) IN (
		SELECT ranked.account, ranked.item FROM (
			SELECT p.account, p.item, rank() OVER (PARTITION BY p.account ORDER BY p.at DESC) AS age
			FROM progress p WHERE p.kind = 'slip' AND p.account IN (SELECT r.account FROM {account text})) AS ranked
		WHERE ranked.age > %d)`, progress.MaxSlips))
}

func (r *progressRow) add(b *batch) {
	s := keepFirst
	if r.Kind == runKind || r.Kind == lessonKind {
		s = keepBest
	}
	b.add(s, string(r.Account), r.Kind, r.Item, string(r.Match), int64(r.Day), int64(r.Value), r.Detail,
		r.At.UnixMicro())
}

// addSlips adds the slips of a finished match, of people with an account.
func addSlips(g *group, s *match.State, reviews []strategy.MoveReview) {
	if !isCounted(s) || s.Pool == match.BotPool {
		return
	}
	for _, side := range [...]rules.Side{rules.First, rules.Second} {
		p, hasSlipped := s.Seat(side).Player, false
		for _, m := range reviews {
			if m.Side != side || m.VerdictBefore != strategy.Win || !m.IsMistake() || !new(Progress).Keeps(p) {
				continue
			}
			slip := progress.NewSlip(s.EndedAt)
			r := progressRow{
				Account: p.ID, Kind: slipKind, Item: slipItem(s.ID, m.Ply), Match: s.ID, Day: slip.Due,
				Detail: m.PositionBefore.String() + " " + m.Move.String(), At: slip.Ended,
			}
			r.add(&g.batch)
			hasSlipped = true
		}
		if hasSlipped {
			g.batch.add(dropOldSlips(), string(p.ID))
		}
	}
}

func slipItem(id match.ID, ply int) string { return fmt.Sprintf("%s/%d", id, ply) }

// itemNumber returns the number behind the slash of an item.
func itemNumber(item string) (number int, ok bool) {
	_, digits, _ := strings.Cut(item, "/")
	number, err := strconv.Atoi(digits)
	return number, err == nil && number >= 0
}

// addTo adds a row to a state. players are those of the match of a slip. The result is false if the row cannot be read.
func (r *progressRow) addTo(s *progress.State, players [2]match.Player) bool {
	largest, _ := rules.Notakto(rules.MaxBoards)
	switch r.Kind {
	case answerKind:
		index, ok := itemNumber(r.Item)
		move, err := largest.ParseMove(r.Detail)
		answer := progress.Answer{Day: r.Day, Index: index, Move: move, Right: r.Value == 1, At: r.At}
		s.Answers = append(s.Answers, answer)
		return ok && err == nil
	case runKind:
		s.Runs = append(s.Runs, progress.Run{Day: r.Day, Solved: r.Value, At: r.At})
	case slipKind:
		slip := progress.Slip{Match: r.Match, Ended: r.At, Solved: r.Value, Due: r.Day, Opponent: players[0]}
		if players[0].ID == r.Account {
			slip.Opponent = players[1]
		}
		var ok bool
		slip.Ply, ok = itemNumber(r.Item)
		position, move, _ := strings.Cut(r.Detail, " ")
		var err1, err2 error
		slip.Position, err1 = rules.ParsePosition(position)
		slip.Played, err2 = largest.ParseMove(move)
		s.Slips = append(s.Slips, slip)
		return ok && err1 == nil && err2 == nil && slip.Solved >= 0
	case lessonKind:
		lesson, err := strconv.Atoi(r.Item)
		if err != nil || lesson < 1 || lesson > progress.Lessons {
			return false
		}
		s.Lessons[lesson] = r.Value
	case visitKind:
		s.Visited = true
	default:
		return false
	}
	return true
}

func progressKey(account match.PlayerID) string { return "progress " + string(account) }

// record adds a row for a player, if the store keeps progress of the player.
func (p *Progress) record(ctx context.Context, player match.Player, r progressRow) error {
	if !p.Keeps(player) {
		return nil
	}
	r.Account = player.ID
	if r.At.IsZero() {
		r.At = p.store.Now()
		r.Day = puzzle.Number(r.At)
	}
	return p.change(ctx, player.ID, func(g *group) { r.add(&g.batch) })
}

func (p *Progress) change(ctx context.Context, account match.PlayerID, add func(*group)) error {
	return p.store.do(ctx, &request{keys: []string{progressKey(account)}, decide: func(g *group) error {
		add(g)
		return nil
	}})
}

const selectProgress = `SELECT p.account, p.kind, p.item, p.match, p.day, p.value, p.detail, p.at,
	coalesce(f.first, ''), coalesce(f.first_name, ''), coalesce(f.second, ''), coalesce(f.second_name, '')
	FROM progress p LEFT JOIN finished f ON f.match = p.match `

// read reads rows of an account, args[0]. A row that cannot be read is an error.
func (p *Progress) read(ctx context.Context, condition string, args ...any) (s progress.State, err error) {
	query := selectProgress + `WHERE p.account = $1 ` + condition + ` ORDER BY p.kind, p.day, p.item`
	err = p.each(ctx, query, args, func(scan scan) error {
		var r progressRow
		var players [2]match.Player
		if err := r.scan(scan, &players); err != nil {
			return err
		}
		for i := range players {
			if r.Kind == slipKind && players[i].ID != "" {
				players[i] = p.store.history.asShown(players[i])
			}
		}
		if !r.addTo(&s, players) {
			return fmt.Errorf("%w: %s %s of the account %s", match.ErrDamaged, r.Kind, r.Item, r.Account)
		}
		return nil
	})
	slices.SortFunc(s.Slips, func(a, b progress.Slip) int {
		return cmp.Or(b.Ended.Compare(a.Ended), cmp.Compare(a.Match, b.Match), cmp.Compare(b.Ply, a.Ply))
	})
	return s, err
}

func (r *progressRow) scan(scan scan, players *[2]match.Player) error {
	var at int64
	err := scan(&r.Account, &r.Kind, &r.Item, &r.Match, &r.Day, &r.Value, &r.Detail, &at, &players[0].ID,
		&players[0].Name, &players[1].ID, &players[1].Name)
	r.At = time.UnixMicro(at)
	return err
}

func (p *Progress) each(ctx context.Context, query string, args []any, fn func(scan) error) error {
	err := p.store.read(ctx, func(db querier) error { return each(ctx, db, query, args, fn) })
	return p.store.unavailable(err)
}
