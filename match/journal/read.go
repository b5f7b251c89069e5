package journal

import (
	"context"
	"fmt"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// Load implements [match.Journal].
func (s *Store) Load(ctx context.Context, id match.ID, after uint64) ([]match.Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	events, live, err := s.index.read(id, after)
	if live {
		return events, err
	}
	if events, live, err = s.catchUp(ctx, id, after); live || err != nil {
		return events, err
	}
	r, err := s.archive.find(ctx, id)
	if err != nil || after >= uint64(len(r.Events)) {
		return nil, err
	}
	for i := range r.Events {
		r.Events[i].At = s.clock.past(r.Events[i].At)
		r.Events[i].Player = s.accounts.Shown(r.Events[i].Player)
	}
	return r.Events[after:], nil
}

// catchUp waits for a live match that another node has opened and that was not delivered here yet.
func (s *Store) catchUp(ctx context.Context, id match.ID, after uint64) (events []match.Event, live bool, err error) {
	if !nameable(id) {
		return nil, false, noSuchMatch(id)
	}
	last, err := lastSeq(ctx, s.node.Streams.Matches, natsd.MatchSubject+string(id))
	if err != nil || last == 0 {
		return nil, false, err
	}
	if err := s.index.waitSeq(ctx, id, last); err != nil {
		return nil, false, natsd.Unavailable(err)
	}
	return s.index.read(id, after)
}

// CatchUp implements [match.Journal]. It asks the leader of MATCHES for the last sequence and waits until the
// follower has delivered it, ten seconds at most.
func (s *Store) CatchUp(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	last, err := lastSeq(ctx, s.node.Streams.Matches, natsd.MatchSubject+"*")
	if err != nil {
		return err
	}
	return natsd.Unavailable(s.index.progress.wait(ctx, func() bool { return s.index.at >= last }))
}

func noSuchMatch(id match.ID) error { return fmt.Errorf("%w: %.40q", match.ErrNoSuchMatch, id) }
