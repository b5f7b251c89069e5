package history

import (
	"context"
	"database/sql"
	"errors"
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

// errStop stops reading the archive.
var errStop = errors.New("enough was read")

// Attach implements [match.ArchiveIndex].
func (s *Store) Attach(ctx context.Context, archive match.Archive) error {
	at, err := readProgress(s.db)
	if err != nil || at.position == 0 {
		return err
	}
	isSame := false
	if archive.ArchiveEnd() >= at.position {
		err := archive.ReadArchive(ctx, at.position-1, func(m match.ArchivedMatch) error {
			isSame = at == progressOf(m)
			return errStop
		})
		if !errors.Is(err, errStop) {
			return err
		}
	}
	if isSame {
		return nil
	}
	s.log.Warn("the history is not of this archive: it is computed anew")
	return apply(ctx, s, []match.ArchivedMatch{{}}) // deletes everything
}

// follow reads the archive after the match that the database was read up to.
func follow(ctx context.Context, s *Store, archive match.Archive) {
	matches, end := make(chan match.ArchivedMatch, 256), archive.ArchiveEnd()
	s.work.Go(func() { fold(ctx, s, end, matches) })
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
func fold(ctx context.Context, s *Store, end uint64, matches <-chan match.ArchivedMatch) {
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
		write(ctx, s, batch)
	}
}

// write writes matches until that succeeds, or ctx ends.
func write(ctx context.Context, s *Store, batch []match.ArchivedMatch) {
	for {
		err := apply(ctx, s, batch)
		if err == nil || ctx.Err() != nil {
			return
		}
		s.log.Error("the history could not be written", "error", err)
		select {
		case <-time.After(retryAfter):
		case <-ctx.Done():
			return
		}
	}
}

// apply folds matches into the database in one transaction.
func apply(ctx context.Context, s *Store, batch []match.ArchivedMatch) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	for _, m := range batch {
		if m.Position == 0 {
			err = reset(tx)
		} else {
			err = add(tx, m)
		}
		if err != nil {
			return fmt.Errorf("the match %s: %w", m.ID, err)
		}
	}
	at := progressOf(batch[len(batch)-1])
	if _, err := tx.Exec(`UPDATE progress SET position = ?, match = ?, stamp = ?`, at.position, string(at.match), at.stamp); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	s.indexedTo.Store(at.position)
	return nil
}

func reset(tx *sql.Tx) error {
	_, err := tx.Exec(`DELETE FROM archived; DELETE FROM matches; DELETE FROM played; DELETE FROM players; DELETE FROM pairings`)
	return err
}

// add adds a match: to the index in any case, and to the rest unless it was never played or cannot be read, or was added
// before (two nodes may archive one match).
func add(tx *sql.Tx, m match.ArchivedMatch) error {
	if m.ID == "" {
		return nil
	}
	indexed, err := tx.Exec(`INSERT OR IGNORE INTO archived VALUES (?, ?)`, string(m.ID), m.Position)
	if err != nil {
		return err
	}
	if n, err := indexed.RowsAffected(); err != nil || n == 0 {
		return err
	}
	s, ok := played(m)
	if !ok {
		return nil
	}
	first, second := s.SeatState(rules.First).Player, s.SeatState(rules.Second).Player
	_, err = tx.Exec(`INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		m.Position, string(m.ID), s.Variant.String(), s.Clock.String(), s.Origin == match.PrivateOrigin, string(first.ID), first.Name,
		string(second.ID), second.Name, s.Outcome.Winner, s.Outcome.Reason.String(), len(s.Moves), s.EndedAt.UnixMilli())
	if err != nil {
		return err
	}
	reviews := strategy.Review(s.Start, s.Moves)
	for _, side := range rules.Sides() {
		if p := s.SeatState(side).Player; !p.Guest && !p.IsComputer() {
			if err := addPlayer(tx, m.Position, &s, side, reviews); err != nil {
				return err
			}
		}
	}
	return nil
}

// addPlayer adds a match to the list and the totals of one of its players.
func addPlayer(tx *sql.Tx, position uint64, s *match.State, side rules.Side, reviews []strategy.MoveReview) error {
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
	if _, err := tx.Exec(`INSERT INTO played VALUES (?, ?, ?)`, string(p), position, side); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO players VALUES (?, 1, ?, ?, ?, ?) ON CONFLICT (player) DO UPDATE SET matches = matches + 1,
		won = won + excluded.won, lost = lost + excluded.lost, chances = chances + excluded.chances, kept = kept + excluded.kept`,
		string(p), won, lost, chances, kept)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO pairings VALUES (?, ?, 1, ?, ?) ON CONFLICT (player, opponent) DO UPDATE SET
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
