package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"notakto/match"
	"notakto/match/rating"
	"notakto/rules"
)

// Entry is a finished match in a player's history.
type Entry struct {
	Number uint64 // grows in the order in which the store took the matches in
	Match  match.ID
	match.Terms
	Side     rules.Side   // of the player
	Opponent match.Player // only ID and Name
	Winner   rules.Side
	Reason   string // as [rules.Reason.String]
	Plies    int
	Ended    time.Time
}

// EntryOf returns a match that is over as an entry of the player of a side, without a number.
func EntryOf(s *match.State, side rules.Side) Entry {
	opponent := s.SeatState(side.Other()).Player
	return Entry{
		Match: s.ID, Terms: s.Terms, Side: side, Opponent: match.Player{ID: opponent.ID, Name: opponent.Name},
		Winner: s.Outcome.Winner, Reason: s.Outcome.Reason.String(), Plies: len(s.Moves), Ended: s.EndedAt,
	}
}

// IsVoid reports whether a match has ended without a result: see [rules.Outcome.IsVoid]. Only an unseen one may be.
func (e Entry) IsVoid() bool {
	return e.Winner == rules.Nobody && e.Reason != rules.Draw.String()
}

// Result returns how a match ended for the player: "won", "lost" or "draw".
func (e Entry) Result() string {
	switch e.Winner {
	case e.Side:
		return "won"
	case rules.Nobody:
		return "draw"
	default:
		return "lost"
	}
}

// MaxPage is how many entries a query returns at most.
const MaxPage = 200

// List returns the matches of a player with a lower number than before, or all if that is 0, newest first: limit at
// most, and [MaxPage]. Those of private tables are only for the player to see.
func (s *Store) List(ctx context.Context, p match.PlayerID, before uint64, limit int,
	withPrivate bool) (all []Entry, err error) {
	if before == 0 {
		before = 1 << 62
	}
	return s.entries(ctx, `SELECT `+entryColumns+` FROM played p JOIN matches m ON m.number = p.number
		WHERE p.player = ? AND p.number < ? AND m.private <= ? ORDER BY p.number DESC LIMIT ?`,
		string(p), before, withPrivate, max(0, min(limit, MaxPage)))
}

// MaxUnseen is how many unseen results of a player are kept, the newest.
const MaxUnseen = 20

// Unseen returns the matches that ended while a player was away, the newest first, until [Store.See] has been called
// for them. Unlike the rest they are not in the archive: a new database has none.
func (s *Store) Unseen(ctx context.Context, p match.PlayerID) ([]Entry, error) {
	return s.entries(ctx, `SELECT `+entryColumns+` FROM unseen p JOIN matches m ON m.number = p.number
		WHERE p.player = ? ORDER BY p.number DESC`, string(p))
}

// See notes that a player has seen the results of matches.
func (s *Store) See(ctx context.Context, p match.PlayerID, results ...Entry) error {
	for _, e := range results {
		if _, err := s.db.ExecContext(ctx, `DELETE FROM unseen WHERE player = ? AND number =
			(SELECT number FROM matches WHERE match = ?)`, string(p), string(e.Match)); err != nil {
			return fmt.Errorf("write the history: %w", err)
		}
	}
	return nil
}

// entryColumns are those of an [Entry], of the tables p (played or unseen) and m (matches).
const entryColumns = `m.number, m.match, m.variant, m.clock, p.side, m.first, m.first_name, m.second, m.second_name,
		m.winner, m.reason, m.plies, m.ended, m.pool`

func (s *Store) entries(ctx context.Context, query string, args ...any) (all []Entry, err error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return nil, err
		}
		e.Opponent = s.shown(e.Opponent)
		all = append(all, e)
	}
	return all, rows.Err()
}

func scanEntry(rows *sql.Rows) (e Entry, err error) {
	var variant, clock string
	var players [2]match.Player
	var ended int64
	err = rows.Scan(&e.Number, &e.Match, &variant, &clock, &e.Side, &players[0].ID, &players[0].Name, &players[1].ID,
		&players[1].Name,
		&e.Winner, &e.Reason, &e.Plies, &ended, &e.Pool)
	if err != nil {
		return e, fmt.Errorf("read the history: %w", err)
	}
	e.Opponent, e.Ended = players[e.Side.Other()-1], time.UnixMilli(ended)
	if e.Variant, err = rules.ParseVariant(variant); err == nil {
		e.Clock, err = match.ParseClock(clock)
	}
	return e, err
}

// RatedPair is what a rated pair changed for one of its players.
type RatedPair struct {
	Match         match.ID     // its last game
	Opponent      match.Player // only ID and Name
	Result        rating.Result
	Counts        bool          // whether it changed the rating
	Before, After rating.Rating // only points and deviation, and of After the number of pairs
	Ended         time.Time
}

// Change returns by how many whole points the rating changed.
func (r RatedPair) Change() int { return r.After.Value() - r.Before.Value() }

const selectPairs = `SELECT match, opponent, opponent_name, result, counts, before_points, before_deviation, points,
	deviation, pairs, ended FROM rated WHERE pool = ? AND player = ? AND `

// scanPair reads a row of selectPairs.
func (s *Store) scanPair(row scanner) (r RatedPair, err error) {
	var ended int64
	err = row.Scan(&r.Match, &r.Opponent.ID, &r.Opponent.Name, &r.Result, &r.Counts,
		&r.Before.Points, &r.Before.Deviation, &r.After.Points, &r.After.Deviation, &r.After.Pairs, &ended)
	r.Opponent, r.Ended = s.shown(r.Opponent), time.UnixMicro(ended)
	return r, err
}

// RatedPairs returns the rated pairs of a player that ended before another one, or all if that is the zero value,
// newest first: limit at most, and [MaxPage].
func (s *Store) RatedPairs(ctx context.Context, pool match.Pool, p match.PlayerID, before RatedPair,
	limit int) (all []RatedPair, err error) {
	end := int64(1 << 62)
	if before.Match != "" {
		end = before.Ended.UnixMicro()
	}
	rows, err := s.db.QueryContext(ctx, selectPairs+`(ended, match) < (?, ?) ORDER BY ended DESC, match DESC LIMIT ?`,
		pool, string(p), end, string(before.Match), max(0, min(limit, MaxPage)))
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r, err := s.scanPair(rows)
		if err != nil {
			return nil, fmt.Errorf("read the history: %w", err)
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// AwaitRatedPair returns what the pair whose last game is m changed for the player of a side, and where that player
// stands now. It waits until the pair is rated, or ctx ends.
func (s *Store) AwaitRatedPair(ctx context.Context, m *match.State, side rules.Side) (RatedPair, Standing, error) {
	p := m.SeatState(side).Player.ID
	for {
		changed := s.nextChange()
		r, err := s.scanPair(s.db.QueryRowContext(ctx, selectPairs+`ended = ? AND match = ?`,
			m.Pool, string(p), m.EndedAt.UnixMicro(), string(m.ID)))
		if err == nil {
			standing, err := s.Standing(ctx, m.Pool, p)
			return r, standing, err
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return r, Standing{}, fmt.Errorf("read the history: %w", err)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return r, Standing{}, ctx.Err()
		}
	}
}

// Named returns the players who have a name as their ID, or had it in a finished match, at most ten: for a directory
// whose accounts are not known.
func (s *Store) Named(ctx context.Context, name string) (all []match.PlayerID, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT CASE p.side WHEN 1 THEN m.first ELSE m.second END FROM played p
		JOIN matches m ON m.number = p.number
		WHERE p.player = ?1 OR (p.side = 1 AND m.first_name = ?1) OR (p.side = 2 AND m.second_name = ?1) LIMIT 10`, name)
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	return scanPlayers(rows)
}

// Totals are what the matches of a player add up to.
type Totals struct {
	Matches, Won, Lost int // the others were drawn
	// Chances is in how many positions the player was to move and could win by perfect play, and Kept how many of the
	// moves made there kept the win.
	Chances, Kept int
}

// Share returns the share of winning positions in which the player kept the win; false if there was no such position.
func (t Totals) Share() (share float64, ok bool) {
	if t.Chances == 0 {
		return 0, false
	}
	return float64(t.Kept) / float64(t.Chances), true
}

// Totals returns those of a player; zero for one without a finished match.
func (s *Store) Totals(ctx context.Context, p match.PlayerID) (t Totals, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT matches, won, lost, chances, kept FROM players WHERE player = ?`, string(p)).
		Scan(&t.Matches, &t.Won, &t.Lost, &t.Chances, &t.Kept)
	return t, ignoreMissing(err)
}

// Against returns the totals of a player's matches against one opponent, without chances.
func (s *Store) Against(ctx context.Context, p, opponent match.PlayerID) (t Totals, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT matches, won, lost FROM pairings WHERE player = ? AND opponent = ?`,
		string(p), string(opponent)).
		Scan(&t.Matches, &t.Won, &t.Lost)
	return t, ignoreMissing(err)
}

// BeatenComputers returns the computer players that a player has beaten.
func (s *Store) BeatenComputers(ctx context.Context, p match.PlayerID) (all []match.PlayerID, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT opponent FROM pairings
		WHERE player = ? AND opponent >= 'computer:' AND opponent < 'computer;' AND won > 0`, string(p))
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	return scanPlayers(rows)
}

func scanPlayers(rows *sql.Rows) (all []match.PlayerID, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p match.PlayerID
		if err := rows.Scan(&p); err != nil {
			return nil, fmt.Errorf("read the history: %w", err)
		}
		all = append(all, p)
	}
	return all, rows.Err()
}

// ignoreMissing returns the error of a query, but for one that found nothing.
func ignoreMissing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the history: %w", err)
	}
	return nil
}
