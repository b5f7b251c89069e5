package history

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// maxBatch is how many matches are written in one transaction.
const maxBatch = 500

// retryAfter is the delay before a failed transaction is repeated.
const retryAfter = time.Second

// follow reads the archive after the match that the database was read up to.
func (s *Store) follow(ctx context.Context, archive match.Archive) {
	matches, end := make(chan match.ArchivedMatch, 256), archive.ArchiveEnd()
	s.work.Go(func() { s.fold(ctx, end, matches) })
	_ = archive.ReadArchive(ctx, s.IndexedTo(), func(m match.ArchivedMatch) error { // until ctx ends
		select {
		case matches <- m:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// batch is what one transaction adds.
type batch struct {
	archived []match.ArchivedMatch
	ended    []*match.State
}

// fold writes matches that were read from the archive or have just ended, at most maxBatch of each in one transaction.
// Once the archive is read up to end, it closes current. Only then it takes in ended matches, so they come after it.
func (s *Store) fold(ctx context.Context, end uint64, archived <-chan match.ArchivedMatch) {
	var ended <-chan *match.State
	for {
		if ended == nil && s.IndexedTo() >= end {
			ended = s.ended
			close(s.current)
		}
		var b batch
		select {
		case m := <-archived:
			b.archived = append(b.archived, m)
		case m := <-ended:
			b.ended = append(b.ended, m)
		case <-ctx.Done():
			return
		}
		for len(b.archived) < maxBatch && len(archived) > 0 {
			b.archived = append(b.archived, <-archived)
		}
		for len(b.ended) < maxBatch && len(ended) > 0 {
			b.ended = append(b.ended, <-ended)
		}
		s.write(ctx, b)
	}
}

// write writes matches until that succeeds, or ctx ends.
func (s *Store) write(ctx context.Context, b batch) {
	for {
		err := s.apply(ctx, b)
		if err == nil || ctx.Err() != nil {
			return
		}
		s.log.Error("the history could not be written", "event", "history-write-failed", "error", err)
		if match.Sleep(ctx, retryAfter) != nil {
			return
		}
	}
}

// apply folds matches into the database in one transaction.
func (s *Store) apply(ctx context.Context, b batch) error {
	begun, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = begun.Rollback() }() // does nothing after Commit
	tx := &transaction{Tx: begun, prepared: make(map[string]*sql.Stmt)}
	if err := tx.addAll(b); err != nil {
		return err
	}
	rated, err := tx.ratePairs()
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, both := range rated {
		s.ladders.pool(both[0].Pool).update(both[:])
	}
	if n := len(b.archived); n > 0 {
		at := b.archived[n-1].Position
		if at == 0 {
			err = s.ladders.read(ctx, s.db)
		}
		s.indexedTo.Store(at) // who reads the ladders after it has them as of this position, or newer
	}
	s.noteChange()
	return err
}

// transaction is a transaction whose statements are prepared once.
type transaction struct {
	*sql.Tx
	prepared map[string]*sql.Stmt // closed with the transaction
	pairs    []pairToRate         // that were added
}

// addAll adds the matches of a batch, and notes how far the archive was read.
func (t *transaction) addAll(b batch) error {
	for _, m := range b.archived {
		err := error(nil)
		if m.Position == 0 {
			err = t.reset()
		} else {
			err = t.addArchived(m)
		}
		if err != nil {
			return fmt.Errorf("the match %s: %w", m.ID, err)
		}
	}
	for _, m := range b.ended {
		if err := t.addEnded(m); err != nil {
			return fmt.Errorf("the match %s: %w", m.ID, err)
		}
	}
	if len(b.archived) == 0 {
		return nil
	}
	at := progressOf(b.archived[len(b.archived)-1])
	return t.exec(`UPDATE progress SET position = ?, match = ?, stamp = ?`, at.position, string(at.match), at.stamp)
}

// exec executes a statement.
func (t *transaction) exec(query string, args ...any) error {
	_, err := t.execute(query, args...)
	return err
}

// execute executes a statement and returns its result.
func (t *transaction) execute(query string, args ...any) (sql.Result, error) {
	statement := t.prepared[query]
	if statement == nil {
		var err error
		if statement, err = t.Prepare(query); err != nil {
			return nil, err
		}
		t.prepared[query] = statement
	}
	return statement.Exec(args...)
}

func (t *transaction) reset() error {
	for _, table := range computed() {
		if err := t.exec(`DELETE FROM ` + table); err != nil {
			return err
		}
	}
	return nil
}

// computed returns the tables with what was computed.
func computed() []string {
	return []string{"archived", "matches", "played", "unseen", "players", "pairings", "ratings", "rated"}
}

// addArchived adds a match of the archive: to the index in any case, and to the rest unless it was never played or
// cannot be read, or was added before (when it ended, or because two nodes have archived it).
func (t *transaction) addArchived(m match.ArchivedMatch) error {
	if m.ID == "" {
		return nil
	}
	result, err := t.execute(`INSERT OR IGNORE INTO archived VALUES (?, ?)`, string(m.ID), m.Position)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	var s match.State
	for _, e := range m.Events {
		if s, err = s.Apply(e); err != nil {
			return nil //nolint:nilerr // it cannot be read
		}
	}
	if !isListed(&s) {
		return nil
	}
	_, err = t.add(&s)
	return err
}

// addEnded adds a match that has just ended, unless it was added before. A player with an account who was away has not
// seen the result, also where it is a void one.
func (t *transaction) addEnded(s *match.State) error {
	var away []rules.Side
	for _, side := range rules.Sides() {
		if seat := s.SeatState(side); seat.Taken && !seat.Present && !seat.Player.IsComputer() && !seat.Player.Guest {
			away = append(away, side)
		}
	}
	if !s.Started() || !isListed(s) && (len(away) == 0 || !s.Outcome.IsVoid()) {
		return nil
	}
	number, err := t.add(s)
	if err != nil || number == 0 {
		return err
	}
	for _, side := range away {
		p := string(s.SeatState(side).Player.ID)
		if err := t.exec(`INSERT INTO unseen VALUES (?, ?, ?)`, p, number, side); err != nil {
			return err
		}
		err := t.exec(`DELETE FROM unseen WHERE player = ?1 AND number NOT IN
			(SELECT number FROM unseen WHERE player = ?1 ORDER BY number DESC LIMIT ?2)`, p, MaxUnseen)
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a match, to the lists and sums of its players if it counts there. It returns the number of the match, 0 if
// it was added before.
func (t *transaction) add(s *match.State) (number int64, err error) {
	first, second := s.Recorded(rules.First), s.Recorded(rules.Second)
	result, err := t.execute(`INSERT OR IGNORE INTO matches VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		string(s.ID), s.Variant.String(), s.Clock.String(), s.Origin == match.PrivateOrigin,
		string(first.ID), first.Name,
		string(second.ID), second.Name,
		s.Outcome.Winner, s.Outcome.Reason.String(), len(s.Moves), s.EndedAt.UnixMilli(), s.Pool)
	if err != nil {
		return 0, err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return 0, err
	}
	if number, err = result.LastInsertId(); err != nil || !isListed(s) {
		return number, err
	}
	if s.IsPairOver() {
		t.addPair(s)
	}
	reviews := strategy.Review(s.Start, s.Moves)
	for _, side := range rules.Sides() {
		if p := s.SeatState(side).Player; !p.Guest && !p.IsComputer() {
			if err := t.addPlayer(number, s, side, reviews); err != nil {
				return number, err
			}
		}
	}
	return number, nil
}

// addPlayer adds a match to the list and the totals of one of its players.
func (t *transaction) addPlayer(number int64, s *match.State, side rules.Side, reviews []strategy.MoveReview) error {
	p, opponent := s.SeatState(side).Player.ID, s.SeatState(side.Other()).Player.ID
	won, lost := s.Outcome.Winner == side, s.Outcome.Winner == side.Other()
	chances, kept := 0, 0
	for _, r := range reviews {
		if r.Side == side && r.Before == strategy.Win {
			chances++
			if r.After == strategy.Win {
				kept++
			}
		}
	}
	if err := t.exec(`INSERT INTO played VALUES (?, ?, ?)`, string(p), number, side); err != nil {
		return err
	}
	err := t.exec(`INSERT INTO players VALUES (?, 1, ?, ?, ?, ?) ON CONFLICT (player) DO UPDATE SET
		matches = matches + 1, won = won + excluded.won, lost = lost + excluded.lost,
		chances = chances + excluded.chances, kept = kept + excluded.kept`,
		string(p), won, lost, chances, kept)
	if err != nil {
		return err
	}
	err = t.exec(`INSERT INTO pairings VALUES (?, ?, 1, ?, ?) ON CONFLICT (player, opponent) DO UPDATE SET
		matches = matches + 1, won = won + excluded.won, lost = lost + excluded.lost`, string(p), string(opponent), won, lost)
	return err
}

// isListed reports whether a match is in the lists and sums of its players.
func isListed(s *match.State) bool {
	return s.Outcome.Over() && !s.Outcome.IsVoid() && s.Origin != match.ReviewOrigin
}
