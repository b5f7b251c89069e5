package history

import (
	"database/sql"
	"errors"
	"time"

	"notakto/match"
	"notakto/match/rating"
	"notakto/rules"
)

// pairsADay is how many pairs of the same two players count for their ratings in one day, by UTC.
const pairsADay = 4

const ratedSchema = `
CREATE TABLE ratings (
	pool INTEGER NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL,
	points INTEGER NOT NULL, deviation INTEGER NOT NULL, volatility INTEGER NOT NULL, pairs INTEGER NOT NULL,
	won INTEGER NOT NULL, split INTEGER NOT NULL, lost INTEGER NOT NULL, ended INTEGER NOT NULL,
	PRIMARY KEY (pool, player)
) WITHOUT ROWID;
CREATE TABLE rated (
	pool INTEGER NOT NULL, player TEXT NOT NULL, position INTEGER NOT NULL,
	opponent TEXT NOT NULL, result INTEGER NOT NULL,
	counts INTEGER NOT NULL, change INTEGER NOT NULL, points INTEGER NOT NULL, deviation INTEGER NOT NULL,
	PRIMARY KEY (pool, player, position)
) WITHOUT ROWID;
CREATE TABLE meetings (
	pool INTEGER NOT NULL, player TEXT NOT NULL, opponent TEXT NOT NULL, day INTEGER NOT NULL, pairs INTEGER NOT NULL,
	PRIMARY KEY (pool, player, opponent, day)
) WITHOUT ROWID;`

// addPair rates the pair whose last game is s, unless its players have met too often on this day, and returns their new
// standings. The time is that of the log, so that every node computes the same.
func (t *transaction) addPair(position uint64, s *match.State) ([]Standing, error) {
	var both [2]Standing
	for i, side := range rules.Sides() {
		p := s.SeatState(side).Player
		if p.Guest || p.IsComputer() {
			return nil, nil // no rated pair has one: see match/manager
		}
		var err error
		if both[i], err = readStanding(t.QueryRow(selectStanding, s.Pool, string(p.ID))); err != nil {
			return nil, err
		}
		both[i].Pool, both[i].Player = s.Pool, match.Player{ID: p.ID, Name: p.Name}
	}
	if both[0].Player.ID == both[1].Player.ID {
		return nil, nil
	}
	counts, err := t.countMeeting(s, both)
	if err != nil {
		return nil, err
	}
	before := [2]rating.Rating{both[0].Rating, both[1].Rating}
	if counts {
		result := rating.Result(s.PairPoints(rules.First))
		both[0].Rating, both[1].Rating = rating.Update(both[0].at(s.EndedAt), both[1].at(s.EndedAt), result)
	}
	for i, side := range rules.Sides() {
		opponent, result := both[1-i].Player.ID, rating.Result(s.PairPoints(side))
		both[i].note(result, s.EndedAt)
		if err := t.writeStanding(both[i]); err != nil {
			return nil, err
		}
		r := both[i].Rating
		err := t.exec(`INSERT INTO rated VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, s.Pool, string(both[i].Player.ID), position,
			string(opponent), result, counts, r.Value()-before[i].Value(), r.Points, r.Deviation)
		if err != nil {
			return nil, err
		}
	}
	return both[:], nil
}

// countMeeting counts a pair of two players on its day, and reports whether it counts for their ratings.
func (t *transaction) countMeeting(s *match.State, both [2]Standing) (counts bool, err error) {
	first, second := both[0].Player.ID, both[1].Player.ID
	day := s.EndedAt.UTC().Unix() / int64((24 * time.Hour).Seconds())
	err = t.exec(`INSERT INTO meetings VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET pairs = pairs + 1`,
		s.Pool, string(min(first, second)), string(max(first, second)), day)
	if err != nil {
		return false, err
	}
	var pairs int
	err = t.QueryRow(`SELECT pairs FROM meetings WHERE pool = ? AND player = ? AND opponent = ? AND day = ?`,
		s.Pool, string(min(first, second)), string(max(first, second)), day).Scan(&pairs)
	return pairs <= pairsADay, err
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

// note counts a pair.
func (s *Standing) note(result rating.Result, ended time.Time) {
	switch result {
	case rating.Won:
		s.Won++
	case rating.Split:
		s.Split++
	case rating.Lost:
		s.Lost++
	}
	if ended.After(s.Ended) {
		s.Ended = time.UnixMilli(ended.UnixMilli()).UTC() // as it is stored
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
	s.Ended = time.UnixMilli(ended).UTC()
	return s, err
}

func (t *transaction) writeStanding(s Standing) error {
	r := s.Rating
	return t.exec(`INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.Pool, string(s.Player.ID), s.Player.Name,
		r.Points, r.Deviation, r.Volatility, r.Pairs, s.Won, s.Split, s.Lost, s.Ended.UnixMilli())
}
