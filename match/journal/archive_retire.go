package journal

import (
	"context"
	"errors"

	"notakto/match"
)

// Archive implements [match.Journal]. It returns once the match is sealed; the archiver does the rest.
func (s *Store) Archive(ctx context.Context, id match.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		n, last, sealed, err := s.index.end(id)
		if errors.Is(err, errUnknown) {
			return s.archivedError(ctx, id)
		}
		if err != nil || sealed {
			return err
		}
		_, err = s.record(ctx, id, n+1, last, encodeSeal(id, n))
		if errors.Is(err, match.ErrArchived) {
			return nil
		}
		if !errors.Is(err, match.ErrConflict) {
			return err
		}
	}
}

// archivedError says whether a match that is not live here was archived.
func (s *Store) archivedError(ctx context.Context, id match.ID) error {
	if _, live, err := s.catchUp(ctx, id, 0); err != nil {
		return err
	} else if live {
		return s.Archive(ctx, id)
	}
	_, err := s.findArchived(ctx, id)
	return err
}
