package journal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/journal/natsd"
	"notakto/rules"
)

func left(id match.ID, seq uint64) match.Event {
	return match.Event{Match: id, Seq: seq, Kind: match.Left, Seat: rules.First}
}

// Messages that wait at the same time are committed together.
func TestMessagesThatWaitAreCommittedInAGroup(t *testing.T) {
	s := open(t, natsd.Config{Dir: t.TempDir()})
	c := s.committer.publisher.newCommitter(false)
	c.grouping.Store(true) // as while many wait: none is sent singly
	var publishers sync.WaitGroup
	for i := range minBatch {
		publishers.Go(func() {
			id := match.ID(fmt.Sprintf("m%d", i))
			entry, err := codec.EncodeEvents([]match.Event{left(id, 1)})
			if err == nil {
				err = c.publish(t.Context(), c.publisher.message(natsd.MatchSubject+string(id), 0, entry))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	eventually(t, "all to wait", func() bool { return len(c.queue) == minBatch })
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go c.run(ctx)
	publishers.Wait()
	if n := c.groups.Load(); n != 1 {
		t.Errorf("%d groups, want 1", n)
	}
	eventually(t, "all to be recorded", func() bool {
		read, err := s.Load(t.Context(), match.ID(fmt.Sprintf("m%d", minBatch-1)), 0)
		return err == nil && len(read) == 1
	})
}

// Many concurrent appends, some of them to the same match: each event is recorded once, no group fails because of
// another's conflict, and all logs are complete after a restart.
func TestManyMatchesAtOnce(t *testing.T) {
	cfg := natsd.Config{Dir: t.TempDir()}
	const matches, rivals, events = 100, 3, 5
	s, err := Open(t.Context(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	var wins [matches][events + 1]atomic.Int32
	var writers sync.WaitGroup
	for m := range matches {
		id := match.ID(fmt.Sprintf("m%d", m))
		for range rivals {
			writers.Go(func() {
				for seq := uint64(1); seq <= events; seq++ {
					switch _, err := s.Append(t.Context(), left(id, seq)); {
					case err == nil:
						wins[m][seq].Add(1)
					case !errors.Is(err, match.ErrConflict):
						t.Error(err)
					}
				}
			})
		}
	}
	writers.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, cfg)
	for m := range wins {
		for seq := 1; seq <= events; seq++ {
			if n := wins[m][seq].Load(); n != 1 {
				t.Errorf("event %d of match %d was recorded %d times", seq, m, n)
			}
		}
		read, err := s.Load(t.Context(), match.ID(fmt.Sprintf("m%d", m)), 0)
		if err != nil || len(read) != events || read[events-1].Seq != events {
			t.Errorf("match %d: %d events, %v", m, len(read), err)
		}
	}
}
