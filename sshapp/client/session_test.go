package client

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
)

// silentHandle delivers no snapshot until it is closed.
type silentHandle struct {
	snapshots chan *match.Snapshot
	close     func()
}

func newSilentHandle() silentHandle {
	snapshots := make(chan *match.Snapshot)
	return silentHandle{snapshots, sync.OnceFunc(func() { close(snapshots) })}
}

func (h silentHandle) Snapshots() <-chan *match.Snapshot { return h.snapshots }
func (h silentHandle) Notify(func())                     {}
func (h silentHandle) Close()                            { h.close() }

// A front end tells the end of its own session from a fault of the match.
func TestAnEndBeforeTheFirstSnapshot(t *testing.T) {
	for want, end := range map[error]func(*Session, *Table){
		ErrEnded:        func(s *Session, _ *Table) { s.Close() },
		ErrClosedAtOnce: func(_ *Session, table *Table) { table.handle.Close() },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := New(nil)
			table := &Table{session: s, handle: newSilentHandle()}
			go func() {
				synctest.Wait()
				end(s, table)
			}()
			if _, err := s.open(t.Context(), table); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

// Others may make and withdraw challenges to a player without end.
func TestWithdrawnChallengesAreForgotten(t *testing.T) {
	m := manager.New(manager.Config{Seed: 7})
	defer m.Close()
	s := New(m)
	defer s.Close()
	ann, bob := match.Player{ID: "SHA256:ann", Name: "ann"}, match.Player{ID: "SHA256:bob", Name: "bob"}
	var c Challenges
	for range maxTold + 10 {
		id, err := m.Challenge(t.Context(), ann, manager.Challenge{Terms: match.DefaultTerms(), Opponent: bob})
		testkit.OK(t, err)
		if news := c.Look(s, bob.ID); len(news) != 1 {
			t.Fatalf("the news are %+v", news)
		}
		testkit.OK(t, m.Decline(t.Context(), ann.ID, id))
	}
	if len(c.told) > maxTold {
		t.Errorf("%d are remembered", len(c.told))
	}
}
