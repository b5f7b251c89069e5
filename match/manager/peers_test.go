package manager

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
)

// mortal is a node's access to a shared journal. Once dead, every call fails.
type mortal struct {
	match.Store
	dead atomic.Bool
}

func (m *mortal) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	return m.AppendWith(ctx, nil, events...)
}

func (m *mortal) AppendWith(ctx context.Context, entries []match.Entry, events ...match.Event) (match.Event, error) {
	if m.dead.Load() {
		return match.Event{}, errTrouble
	}
	return m.Store.AppendWith(ctx, entries, events...)
}

func (m *mortal) Check(ctx context.Context) error {
	if m.dead.Load() {
		return errTrouble
	}
	return m.Store.Check(ctx)
}

func (m *mortal) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	if m.dead.Load() {
		return match.Entry{}, errTrouble
	}
	return m.Store.Put(ctx, e)
}

func (m *mortal) Delete(ctx context.Context, e match.Entry) error {
	if m.dead.Load() {
		return errTrouble
	}
	return m.Store.Delete(ctx, e)
}

func (m *mortal) Archive(ctx context.Context, id match.ID) error {
	if m.dead.Load() {
		return errTrouble
	}
	return m.Store.Archive(ctx, id)
}

// perish ends a manager as a power cut would, without recording or delivering more events.
func (h *harness) perish() {
	h.Helper()
	h.die(true)
	h.Close()
}

func (h *harness) die(isDead bool) { h.cfg.Journal.(*mortal).dead.Store(isDead) }

// sister returns another node on the same journal.
func (h *harness) sister() *harness {
	h.Helper()
	cfg := h.cfg
	cfg.Seed += 10
	cfg.Journal = &mortal{Store: cfg.Journal.(*mortal).Store}
	s := newHarness(h.T, cfg)
	s.disk = h.disk
	return s
}

// Both players and their nodes fail. One surviving node decides the match, once, and no other opens a table for it.
func TestMatchWithoutPlayersAndNodesIsDecided(t *testing.T) {
	inBubble(t, Config{}, func(left *harness) {
		also := left.sister()
		defer also.Close()
		one, other := left.sister(), left.sister()
		id, _, err := one.tables.open(left.Context(), match.Opening{
			Terms: match.DefaultTerms(), Players: [2]match.Player{ann(), bob()},
			Nodes: [2]match.Node{one.tables.peers.self, other.tables.peers.self},
		})
		left.must(err)
		one.sit(id, ann())
		other.sit(id, bob())
		pass(time.Minute)
		one.perish()
		other.perish()
		pass(match.EntryTTL + 2*heartbeatInterval + time.Second)
		if a, b := left.tables.index.table(id) != nil, also.tables.index.table(id) != nil; a == b {
			left.Errorf("the match has a table at both nodes, or at none: %v", a)
		}
		pass(grace + time.Second)
		want := rules.Outcome{Winner: rules.Second, Reason: rules.ReasonAbandoned}
		if s := left.logged(id); s.Outcome != want {
			left.Errorf("the match ended %+v", s.Outcome)
		}
		checkKinds(left, id, match.Left, match.Left, match.Forfeited)
	})
}

// Nodes and players have their full time again after an outage of all nodes. Once only moves could not be recorded, the
// nodes considered each other healthy, and a player who could not return lost.
func TestOutageIsChargedToNoPlayer(t *testing.T) {
	for name, stop := range map[string]func(*unruly) (resume func()){
		"nothing is recorded": (*unruly).stopAll, "no move is recorded": (*unruly).stop,
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{JournalTimeout: time.Second}, func(here *harness) {
				there := here.sister()
				defer there.Close()
				waiting := here.seek(cleo())
				id := here.open(ann(), bob(), rules.DefaultVariant())
				one := here.sit(id, ann())
				there.sit(id, bob())
				pass(time.Minute)
				one.Close()
				pass(grace - time.Second)
				resume := stop(here.disk)
				pass(10 * time.Minute)
				resume()
				pass(2 * heartbeatInterval)
				checkGoesOn(here, id)
				here.meets(waiting, here.seek(guy()))
				if s := here.logged(id); !s.Seat(rules.Second).Present {
					here.Error("bob counts as gone")
				}
				pass(grace - 3*heartbeatInterval)
				checkGoesOn(here, id)
				pass(3 * heartbeatInterval)
				if s := here.logged(id); s.Outcome.Reason != rules.ReasonAbandoned {
					here.Errorf("the match goes on: %+v", s.Outcome)
				}
				if text := here.book.String(); strings.Count(text, "charged to no player") != 2 ||
					!strings.Contains(text, "not_charged_ms=60") {
					here.Errorf("the log of both nodes says:\n%s", text)
				}
			})
		})
	}
}

// Both players reveal the deadly cells at one moment, at two nodes. The player recorded second was told that the
// event was bad.
func TestRevealAtTwoNodesAtOnce(t *testing.T) {
	inBubble(t, Config{}, func(here *harness) {
		there := here.sister()
		defer there.Close()
		id := here.open(ann(), bob(), rules.DefaultVariant())
		first, second := here.sit(id, ann()), there.sit(id, bob())
		here.sees(first)
		here.disk.interrupt(match.Revealed, func() { there.must(second.Reveal(there.Context())) })
		here.must(first.Reveal(here.Context()))
		here.must(first.Reveal(here.Context()))
		for b, seat := range map[*harness]*Seat{here: first, there: second} {
			if by := b.sees(seat).RevealedBy(); by != rules.Second {
				b.Errorf("%d has revealed them", by)
			}
		}
	})
}

// A node that is cut off tells its players, seated and waiting, refuses new matches at once, and tells the players
// again when it recovers.
func TestCutOffNodeSaysSo(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		seek, err := b.Lobby().Seek(b.Context(), cleo(), match.DefaultTerms())
		b.must(err)
		pass(time.Minute)
		b.sees(one)
		<-seek.Status()
		b.must(b.Ready())

		b.die(true)
		pass(heartbeatInterval)
		b.fails(b.Ready(), match.ErrUnavailable)
		pass(cutOffAfter - 2*heartbeatInterval)
		b.seesNothing(one) // a short interruption is not reported
		pass(2 * heartbeatInterval)
		if s := b.sees(one); !s.CutOff {
			b.Error("who sits there is not told")
		}
		synctest.Wait()
		if status := <-seek.Status(); !status.CutOff || status.Match != "" {
			b.Errorf("who waits there is told %+v", status)
		}
		checkRefuses(b, guy(), match.ErrUnavailable)

		b.die(false)
		pass(heartbeatInterval)
		if s := b.sees(one); s.CutOff {
			b.Error("who sits there is not told that it is over")
		}
		if status := <-seek.Status(); status.CutOff {
			b.Errorf("who waits there is told %+v", status)
		}
		checkRefuses(b, guy(), nil)
		b.must(b.Ready())
		for _, line := range []string{"cannot record anything", "can record again"} {
			if n := strings.Count(b.book.String(), line); n != 1 {
				b.Errorf("%d lines say %q:\n%s", n, line, b.book.String())
			}
		}
	})
}

// checkRefuses checks the error of every way in which p opens a match, and that the answer comes at once.
func checkRefuses(b *harness, p match.Player, want error) {
	b.Helper()
	began := time.Now()
	b.fails(errOf(b.PlayComputer(b.Context(), p, match.DefaultTerms(), 1, rules.First)), want)
	b.fails(errOf3(b.OpenPrivate(b.Context(), p, match.DefaultTerms())), want)
	seek, err := b.Lobby().Seek(b.Context(), p, match.Terms{Variant: boards(b.T, 5)})
	if b.fails(err, want); err == nil {
		seek.Cancel()
	}
	if took := time.Since(began); took > 0 {
		b.Errorf("that took %v", took)
	}
}

// Servers tell each other their version and key. A failed server is shown for a minute, a stopped one is removed at
// once.
func TestServersKnowEachOther(t *testing.T) {
	cfg := Config{Node: NewNode("Web-1.example.org"), Version: "1.2", HostKey: "SHA256:x"}
	inBubble(t, cfg, func(here *harness) {
		start := here.Now()
		check := func(servers, keys int64, want ...string) {
			here.Helper()
			var got []string
			for _, s := range here.Servers() {
				name := s.Node[:min(len(s.Node), len("web-1-"))]
				got = append(got, fmt.Sprint([]any{name, s.Version, s.HostKey, s.Since.Equal(start), s.IsUp}))
			}
			if !slices.Equal(got, want) || here.Stats.Servers.Load() != servers || here.Stats.HostKeys.Load() != keys {
				here.Errorf("the servers are %q, want %q; monitors see %d with %d keys", got, want,
					here.Stats.Servers.Load(), here.Stats.HostKeys.Load())
			}
		}
		here.cfg.Node, here.cfg.Version, here.cfg.HostKey = "b", "1.3", "SHA256:y"
		there := here.sister()
		here.cfg.Node = "c"
		third := here.sister()
		pass(4 * heartbeatInterval)
		check(3, 2, "[b 1.3 SHA256:y true true]", "[c 1.3 SHA256:y true true]", "[web-1- 1.2 SHA256:x true true]")
		if warned := strings.Count(here.book.String(), "event=host-keys-differ"); warned != 3 {
			here.Errorf("three servers warn %d times of different keys", warned)
		}
		third.Close()
		there.perish()
		pass(match.EntryTTL + 2*heartbeatInterval)
		check(1, 1, "[b 1.3 SHA256:y true false]", "[web-1- 1.2 SHA256:x true true]")
		pass(4 * match.EntryTTL)
		check(1, 1, "[web-1- 1.2 SHA256:x true true]")
	})
}
