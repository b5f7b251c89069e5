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

// fold writes the matches after a position, as many in one transaction as have been read. The store is current once it
// has reached the end.
func (s *Store) fold(ctx context.Context, end uint64, matches <-chan match.ArchivedMatch) {
	for isCurrent := false; ; {
		if !isCurrent && s.IndexedTo() >= end {
			isCurrent = true
			close(s.current)
		}
		var batch []match.ArchivedMatch
		select {
		case m := <-matches:
			batch = append(batch, m)
		case <-ctx.Done():
			return
		}
		for len(batch) < maxBatch && len(matches) > 0 {
			batch = append(batch, <-matches)
		}
		s.write(ctx, batch)
	}
}

// write writes matches until that succeeds, or ctx ends.
func (s *Store) write(ctx context.Context, batch []match.ArchivedMatch) {
	for {
		err := s.apply(ctx, batch)
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
func (s *Store) apply(ctx context.Context, batch []match.ArchivedMatch) error {
	begun, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = begun.Rollback() }() // does nothing after Commit
	tx := &transaction{Tx: begun, prepared: make(map[string]*sql.Stmt)}
	for _, m := range batch {
		if m.Position == 0 {
			err = tx.reset()
		} else {
			err = tx.add(m)
		}
		if err != nil {
			return fmt.Errorf("the match %s: %w", m.ID, err)
		}
	}
	at := progressOf(batch[len(batch)-1])
	err = tx.exec(`UPDATE progress SET position = ?, match = ?, stamp = ?`, at.position, string(at.match), at.stamp)
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, both := range tx.rated {
		s.ladders.pool(both[0].Pool).update(both)
	}
	if at.position == 0 {
		err = s.ladders.read(ctx, s.db)
	}
	s.indexedTo.Store(at.position) // who reads the ladders after it has them as of this position, or newer
	return err
}

// transaction is a transaction whose statements are prepared once.
type transaction struct {
	*sql.Tx
	prepared map[string]*sql.Stmt // closed with the transaction
	rated    [][]Standing         // of both players after each pair
}

// exec executes a statement.
func (t *transaction) exec(query string, args ...any) error {
	_, err := t.execCounted(query, args...)
	return err
}

// execCounted is exec, and returns how many rows were changed.
func (t *transaction) execCounted(query string, args ...any) (int64, error) {
	statement := t.prepared[query]
	if statement == nil {
		var err error
		if statement, err = t.Prepare(query); err != nil {
			return 0, err
		}
		t.prepared[query] = statement
	}
	result, err := statement.Exec(args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
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
	return []string{"archived", "matches", "played", "players", "pairings", "ratings", "rated", "meetings"}
}

// add adds a match: to the index in any case, and to the rest unless it was never played or cannot be read, or was
// added before (two nodes may archive one match).
func (t *transaction) add(m match.ArchivedMatch) error {
	if m.ID == "" {
		return nil
	}
	n, err := t.execCounted(`INSERT OR IGNORE INTO archived VALUES (?, ?)`, string(m.ID), m.Position)
	if err != nil || n == 0 {
		return err
	}
	s, ok := played(m)
	if !ok {
		return nil
	}
	first, second := s.SeatState(rules.First).Player, s.SeatState(rules.Second).Player
	err = t.exec(`INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		m.Position, string(m.ID), s.Variant.String(), s.Clock.String(), s.Origin == match.PrivateOrigin,
		string(first.ID), first.Name,
		string(second.ID), second.Name,
		s.Outcome.Winner, s.Outcome.Reason.String(), len(s.Moves), s.EndedAt.UnixMilli(), s.Pool)
	if err != nil {
		return err
	}
	if s.IsPairOver() {
		both, err := t.addPair(m.Position, &s)
		if err != nil {
			return err
		}
		if both != nil {
			t.rated = append(t.rated, both)
		}
	}
	reviews := strategy.Review(s.Start, s.Moves)
	for _, side := range rules.Sides() {
		if p := s.SeatState(side).Player; !p.Guest && !p.IsComputer() {
			if err := t.addPlayer(m.Position, &s, side, reviews); err != nil {
				return err
			}
		}
	}
	return nil
}

// addPlayer adds a match to the list and the totals of one of its players.
func (t *transaction) addPlayer(position uint64, s *match.State, side rules.Side, reviews []strategy.MoveReview) error {
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
	if err := t.exec(`INSERT INTO played VALUES (?, ?, ?)`, string(p), position, side); err != nil {
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

// played returns the final state of a match that counts.
func played(m match.ArchivedMatch) (s match.State, ok bool) {
	for _, e := range m.Events {
		next, err := s.Apply(e)
		if err != nil {
			return s, false
		}
		s = next
	}
	return s, s.Outcome.Over() && !s.Outcome.IsVoid() && s.Origin != match.ReviewOrigin
}
