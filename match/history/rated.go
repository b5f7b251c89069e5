package history

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/rating"
	"notakto/rules"
)

// PairsADay is how many pairs of the same two players count for their ratings in one day, by UTC.
const PairsADay = 4

const ratedSchema = `
CREATE TABLE ratings (
	pool INTEGER NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL,
	points INTEGER NOT NULL, deviation INTEGER NOT NULL, volatility INTEGER NOT NULL, pairs INTEGER NOT NULL,
	won INTEGER NOT NULL, split INTEGER NOT NULL, lost INTEGER NOT NULL, ended INTEGER NOT NULL,
	PRIMARY KEY (pool, player)
) WITHOUT ROWID;
CREATE TABLE rated (
	pool INTEGER NOT NULL, player TEXT NOT NULL, ended INTEGER NOT NULL, match TEXT NOT NULL,
	opponent TEXT NOT NULL, opponent_name TEXT NOT NULL, result INTEGER NOT NULL,
	counts INTEGER NOT NULL, before_points INTEGER NOT NULL, before_deviation INTEGER NOT NULL,
	name TEXT NOT NULL,
	points INTEGER NOT NULL, deviation INTEGER NOT NULL, volatility INTEGER NOT NULL, pairs INTEGER NOT NULL,
	won INTEGER NOT NULL, split INTEGER NOT NULL, lost INTEGER NOT NULL,
	PRIMARY KEY (pool, player, ended, match)
) WITHOUT ROWID;
CREATE INDEX rated_by_end ON rated (pool, ended, match);`

// pairToRate is a rated pair that is over.
type pairToRate struct {
	pool    match.Pool
	ended   int64    // in microseconds
	match   match.ID // its last game
	players [2]match.Player
	result  rating.Result // for the first of the players
}

// compare orders pairs by their ends.
func (r pairToRate) compare(other pairToRate) int {
	return cmp.Or(cmp.Compare(r.ended, other.ended), cmp.Compare(r.match, other.match))
}

// addPair adds the pair whose last game is s to those that [transaction.ratePairs] rates.
func (t *transaction) addPair(s *match.State) {
	r := pairToRate{
		pool: s.Pool, ended: s.EndedAt.UnixMicro(), match: s.ID, result: rating.Result(s.PairPoints(rules.First)),
	}
	for i, side := range rules.Sides() {
		if r.players[i] = s.Recorded(side); r.players[i].Guest || r.players[i].IsComputer() {
			return // no rated pair has one: see match/manager
		}
	}
	if r.players[0].ID != r.players[1].ID {
		t.pairs = append(t.pairs, r)
	}
}

// ratePairs rates the pairs that were added, and returns the standings of both players after each. Pairs are rated in
// the order of their ends, whatever the order in which they come: those that ended later than the first of the new ones
// are rated again. So every node, and one that reads the archive anew, computes the same.
func (t *transaction) ratePairs() (rated [][2]Standing, err error) {
	for pool := match.PeoplePool; pool <= match.LastPool; pool++ {
		var pairs []pairToRate
		for _, r := range t.pairs {
			if r.pool == pool {
				pairs = append(pairs, r)
			}
		}
		if len(pairs) == 0 {
			continue
		}
		later, err := t.takePairsAfter(slices.MinFunc(pairs, pairToRate.compare))
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, later...)
		slices.SortFunc(pairs, pairToRate.compare)
		for _, r := range pairs {
			both, err := t.rate(r)
			if err != nil {
				return nil, err
			}
			rated = append(rated, both)
		}
	}
	return rated, nil
}

// takePairsAfter removes the pairs that ended after one, and returns them.
func (t *transaction) takePairsAfter(first pairToRate) (all []pairToRate, err error) {
	const after = ` FROM rated WHERE pool = ? AND (ended, match) > (?, ?)`
	rows, err := t.Query(
		`SELECT ended, match, player, name, opponent, opponent_name, result`+after+` AND player < opponent`,
		first.pool, first.ended, string(first.match))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r := pairToRate{pool: first.pool}
		one, other := &r.players[0], &r.players[1]
		if err := rows.Scan(&r.ended, &r.match, &one.ID, &one.Name, &other.ID, &other.Name, &r.result); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil || len(all) == 0 {
		return nil, err
	}
	return all, t.exec(`DELETE`+after, first.pool, first.ended, string(first.match))
}

// rate rates a pair, unless its players have met too often on its day, and returns their new standings. All pairs that
// ended before it have been rated. The time is that of the log.
func (t *transaction) rate(r pairToRate) (both [2]Standing, err error) {
	for i, p := range r.players {
		both[i], err = readStanding(t.QueryRow(`SELECT `+standingColumns+` FROM rated
			WHERE pool = ? AND player = ? AND (ended, match) < (?, ?) ORDER BY ended DESC, match DESC LIMIT 1`,
			r.pool, string(p.ID), r.ended, string(r.match)))
		if err != nil {
			return both, err
		}
		both[i].Pool, both[i].Player = r.pool, match.Player{ID: p.ID, Name: p.Name}
	}
	day := r.ended - r.ended%(24*time.Hour).Microseconds()
	var met int
	err = t.QueryRow(`SELECT count(*) FROM rated
		WHERE pool = ? AND player = ? AND ended >= ? AND (ended, match) < (?, ?) AND opponent = ?`,
		r.pool, string(r.players[0].ID), day, r.ended, string(r.match), string(r.players[1].ID)).Scan(&met)
	if err != nil {
		return both, err
	}
	before, ended := [2]rating.Rating{both[0].Rating, both[1].Rating}, time.UnixMicro(r.ended).UTC()
	counts := met < PairsADay
	if counts {
		both[0].Rating, both[1].Rating = rating.Update(both[0].at(ended), both[1].at(ended), r.result)
	}
	for i, result := range [...]rating.Result{r.result, rating.Won - r.result} {
		s, opponent := &both[i], r.players[1-i]
		s.count(result)
		s.Ended = ended
		after := s.Rating
		err := t.exec(`INSERT OR REPLACE INTO rated VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			r.pool, string(s.Player.ID), r.ended, string(r.match),
			string(opponent.ID), opponent.Name, result, counts, before[i].Points, before[i].Deviation, s.Player.Name,
			after.Points, after.Deviation, after.Volatility, after.Pairs, s.Won, s.Split, s.Lost)
		if err != nil {
			return both, err
		}
		if err := t.writeStanding(*s); err != nil {
			return both, err
		}
	}
	return both, nil
}

// Standing is where a player of a pool stands. Without a rated pair it is that of a new player.
type Standing struct {
	Pool             match.Pool
	Player           match.Player // only ID and Name
	Rating           rating.Rating
	Won, Split, Lost int       // pairs, with those that did not count for the rating
	Ended            time.Time // when the last pair was over; zero without one
	Rank, Players    int       // in the ladder: Rank is 0 for a player who is not listed
}

// at returns the rating at a time: the deviation has grown since the last pair.
func (s Standing) at(now time.Time) rating.Rating {
	if s.Ended.IsZero() {
		return s.Rating
	}
	return s.Rating.After(now.Sub(s.Ended))
}

// count counts a pair.
func (s *Standing) count(result rating.Result) {
	switch result {
	case rating.Won:
		s.Won++
	case rating.Split:
		s.Split++
	case rating.Lost:
		s.Lost++
	}
}

const standingColumns = `pool, player, name, points, deviation, volatility, pairs, won, split, lost, ended`

const selectStanding = `SELECT ` + standingColumns + ` FROM ratings WHERE pool = ? AND player = ?`

// scanner is a row of a query.
type scanner interface{ Scan(into ...any) error }

// readStanding reads a standing; that of a new player if there is no row.
func readStanding(row scanner) (s Standing, err error) {
	var ended int64
	r := &s.Rating
	err = row.Scan(&s.Pool, &s.Player.ID, &s.Player.Name, &r.Points, &r.Deviation, &r.Volatility, &r.Pairs,
		&s.Won, &s.Split, &s.Lost, &ended)
	if errors.Is(err, sql.ErrNoRows) {
		return Standing{Rating: rating.New()}, nil
	}
	s.Ended = time.UnixMicro(ended).UTC()
	return s, err
}

func (t *transaction) writeStanding(s Standing) error {
	r := s.Rating
	return t.exec(`INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.Pool, string(s.Player.ID), s.Player.Name,
		r.Points, r.Deviation, r.Volatility, r.Pairs, s.Won, s.Split, s.Lost, s.Ended.UnixMicro())
}

// DumpRatings writes all that was computed from rated pairs, one row a line, in the same order on every node: two
// stores that have read the same archive write the same bytes.
func (s *Store) DumpRatings(ctx context.Context, w io.Writer) error {
	for _, table := range [...]string{"ratings", "rated"} {
		if err := dump(ctx, s.db, table, w); err != nil {
			return fmt.Errorf("read the history: %w", err)
		}
	}
	return nil
}

func dump(ctx context.Context, db *sql.DB, table string, w io.Writer) error {
	rows, err := db.QueryContext(ctx, `SELECT * FROM `+table+` ORDER BY 1, 2, 3, 4`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has it
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, append([]any{table}, values...)...); err != nil {
			return err
		}
	}
	return rows.Err()
}
