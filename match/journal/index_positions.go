package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"notakto/match"
	"notakto/match/journal/internal/codec"
)

// errUnknown says that this process does not know a match; the server may.
var errUnknown = errors.New("the match is not among the live ones")

// expectedSeq returns the sequence in the stream after which an event can be recorded.
func (v *index) expectedSeq(id match.ID, seq uint64) (last uint64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	log := v.logs[id]
	switch {
	case log == nil && v.archived.has(id) && seq > 1:
		return 0, match.ErrArchived
	case log == nil && (v.archived.has(id) || seq == 0):
		return 0, conflict(id, seq)
	case log == nil && seq == 1:
		return 0, nil
	case log == nil:
		return 0, errUnknown
	case log.damage != nil:
		return 0, log.damage
	case seq != uint64(len(log.events))+1:
		return 0, conflict(id, seq)
	case log.sealed:
		return 0, match.ErrArchived
	}
	return log.last, nil
}

func conflict(id match.ID, seq uint64) error {
	return fmt.Errorf("%w: %s has no place for event %d", match.ErrConflict, id, seq)
}

// end returns the position for a seal: after n events, the last of which has the sequence last in the stream.
func (v *index) end(id match.ID) (n, last uint64, sealed bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	log := v.logs[id]
	switch {
	case log == nil && v.archived.has(id):
		return 0, 0, true, nil
	case log == nil:
		return 0, 0, false, errUnknown
	}
	return uint64(len(log.events)), log.last, log.sealed, log.damage
}

// sealed returns the record of a sealed match, or the damage of a damaged one.
func (v *index) sealed(id match.ID) (r codec.Record, ok bool, damage error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	log := v.logs[id]
	switch {
	case log == nil:
		return codec.Record{}, false, nil
	case log.damage != nil || !log.sealed:
		return codec.Record{}, false, log.damage
	}
	return codec.Record{ID: id, Seal: log.last, Events: slices.Clone(log.events)}, true, nil
}

// expect registers a message that is about to be sent. The caller must call forget afterwards.
func (v *index) expect(messageID string) *delivery {
	v.mu.Lock()
	defer v.mu.Unlock()
	d := &delivery{done: make(chan struct{})}
	v.waiting[messageID] = d
	return d
}

func (v *index) forget(messageID string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.waiting, messageID)
}

// isFilled reports whether the sequence of an event is used. The caller holds the lock.
func (v *index) isFilled(id match.ID, seq uint64) bool {
	log := v.logs[id]
	return v.archived.has(id) || log != nil && (log.sealed || log.damage != nil || uint64(len(log.events)) >= seq)
}

// waitSeq waits until the follower has delivered a sequence, or the match was archived.
func (v *index) waitSeq(ctx context.Context, id match.ID, seq uint64) error {
	return v.progress.wait(ctx, func() bool { return v.at >= seq || v.archived.has(id) })
}
