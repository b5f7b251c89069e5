package journal

import (
	"context"
	"errors"

	"notakto/match"
)

// Retire is [match.Journal]'s. It returns once the match is sealed; the archivist does the rest.
func (s *Store) Retire(ctx context.Context, id match.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		n, last, sealed, err := s.view.end(id)
		if errors.Is(err, errUnknown) {
			return s.retired(ctx, id)
		}
		if err != nil || sealed {
			return err
		}
		_, err = s.record(ctx, id, n+1, last, encodeSeal(id, n))
		if errors.Is(err, match.ErrRetired) {
			return nil
		}
		if !errors.Is(err, match.ErrConflict) {
			return err
		}
	}
}

// retired says whether a match that is not live here was put away.
func (s *Store) retired(ctx context.Context, id match.ID) error {
	if _, live, err := s.catchUp(ctx, id, 0); err != nil {
		return err
	} else if live {
		return s.Retire(ctx, id)
	}
	_, err := s.seek(ctx, id)
	return err
}
