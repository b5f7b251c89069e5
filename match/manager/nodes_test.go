package manager

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
)

// mortal is one node's way to a journal that others share. Once it is dead nothing goes through.
type mortal struct {
	journal
	dead atomic.Bool
}

// journal is a journal with its board.
type journal interface {
	match.Journal
	match.Board
}

func (j *mortal) Append(ctx context.Context, events ...match.Event) (match.Event, error) {
	if j.dead.Load() {
		return match.Event{}, errTrouble
	}
	return j.journal.Append(ctx, events...)
}

func (j *mortal) Check(ctx context.Context) error {
	if j.dead.Load() {
		return errTrouble
	}
	return j.journal.Check(ctx)
}

func (j *mortal) Pin(ctx context.Context, n match.Note) (match.Note, error) {
	if j.dead.Load() {
		return match.Note{}, errTrouble
	}
	return j.journal.Pin(ctx, n)
}

func (j *mortal) Unpin(ctx context.Context, n match.Note) error {
	if j.dead.Load() {
		return errTrouble
	}
	return j.journal.Unpin(ctx, n)
}

func (j *mortal) Retire(ctx context.Context, id match.ID) error {
	if j.dead.Load() {
		return errTrouble
	}
	return j.journal.Retire(ctx, id)
}

// perish ends a manager as a power cut would: nothing more is recorded, and nobody is told.
func (b *bed) perish() {
	b.Helper()
	b.cfg.Journal.(*mortal).dead.Store(true)
	b.Close()
}

// sister is another node of the same house.
func (b *bed) sister() *bed {
	b.Helper()
	cfg := b.cfg
	cfg.Seed += 10
	j := &mortal{journal: cfg.Journal.(*mortal).journal}
	cfg.Journal, cfg.Board = j, j
	return newBed(b.T, cfg)
}

// A node dies with a player at it: the other node says so once it has been silent for long enough, and the grace runs from there.
func TestPlayerOfADeadNodeIsMissed(t *testing.T) {
	inBubble(t, Config{Journal: &mortal{journal: newUnruly()}}, func(here *bed) {
		there := here.sister()
		id := here.open(ann(), bob(), rules.DefaultVariant())
		one, other := here.sit(id, ann()), there.sit(id, bob())
		here.play(one, "A5")
		pass(time.Minute)
		there.perish()
		here.seesEnd(other)
		pass(match.NoteLife - 2*pulse)
		if s := here.sees(one); !s.Chair(rules.Second).Present {
			here.Fatal("bob is missed too early")
		}
		pass(4 * pulse)
		s := here.sees(one)
		if s.Chair(rules.Second).Present || s.Chair(rules.Second).Since.After(time.Now()) {
			here.Fatalf("bob is not missed: %+v", s)
		}
		checkEndsAt(here, id, s.Chair(rules.Second).Since.Add(grace), rules.First)
	})
}

// Both players and both their nodes are gone: whoever is left decides the match, once, and nobody else lays a table for it.
func TestMatchWithoutPlayersAndNodesIsDecided(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: &mortal{journal: j}}, func(left *bed) {
		also := left.sister()
		defer also.Close()
		one, other := left.sister(), left.sister()
		id, _, err := one.Manager.open(left.Context(), match.Opening{
			Variant: rules.DefaultVariant(), Players: [2]match.Player{ann(), bob()}, Nodes: [2]match.Node{one.nodes.self, other.nodes.self},
		})
		left.must(err)
		one.sit(id, ann())
		other.sit(id, bob())
		pass(time.Minute)
		one.perish()
		other.perish()
		pass(match.NoteLife + 2*pulse + time.Second)
		if a, b := left.register.hasTable(id), also.register.hasTable(id); a == b {
			left.Errorf("the match has a table at both nodes, or at none: %v", a)
		}
		pass(grace + time.Second)
		if s := replay(left.T, j, id); s.Outcome != (rules.Outcome{Winner: rules.Second, Reason: rules.Abandoned}) {
			left.Errorf("the match ended %+v", s.Outcome)
		}
		checkKinds(left, id, match.Left, match.Left, match.Expired)
	})
}

// A player who comes back at another node after the death of the first finds the match, and it is not held against them.
func TestPlayerMovesToAnotherNode(t *testing.T) {
	inBubble(t, Config{Journal: &mortal{journal: newUnruly()}}, func(here *bed) {
		there := here.sister()
		id := there.open(ann(), bob(), rules.DefaultVariant())
		there.sit(id, ann())
		other := here.sit(id, bob())
		there.perish()
		if ids := here.Of(ann().ID); !slices.Equal(ids, []match.ID{id}) {
			here.Fatalf("ann finds %v", ids)
		}
		again := here.sit(id, ann())
		pass(10 * time.Minute)
		here.play(again, "A5")
		here.play(other, "A1")
		again.Close()
		synctest.Wait()
		if s := here.sees(other); s.Chair(rules.First).Present {
			here.Error("ann's leaving was not told")
		}
	})
}

// Nobody can record anything for a while: afterwards nodes and players have all their time again.
func TestOutageIsHeldAgainstNobody(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: &mortal{journal: j}, Patience: time.Second}, func(here *bed) {
		there := here.sister()
		defer there.Close()
		id := here.open(ann(), bob(), rules.DefaultVariant())
		one := here.sit(id, ann())
		there.sit(id, bob())
		pass(time.Minute)
		one.Close()
		pass(grace - time.Second)
		resume := j.stopAll()
		pass(10 * time.Minute)
		resume()
		pass(2 * pulse)
		checkGoesOn(here, id)
		if s := replay(here.T, j, id); !s.Chair(rules.Second).Present {
			here.Error("bob counts as gone")
		}
		pass(grace - 3*pulse)
		checkGoesOn(here, id)
		pass(3 * pulse)
		if s := replay(here.T, j, id); s.Outcome.Reason != rules.Abandoned {
			here.Errorf("the match goes on: %+v", s.Outcome)
		}
	})
}

// What was over when the server was killed is put away after the restart.
func TestEndedMatchesArePutAwayLater(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: &mortal{journal: j}}, func(b *bed) {
		one, _ := b.ended()
		b.perish()
		again := b.sister()
		defer again.Close()
		pass(2 * DefaultLinger)
		if _, over := again.register.busy(); len(over) > 0 || !j.retired(one.ID()) {
			b.Errorf("%d matches are still over", len(over))
		}
	})
}

func TestKeepersShareTheWork(t *testing.T) {
	nodes := []match.Node{"a", "b", "c"}
	kept := map[match.Node]int{}
	d := newDice(1)
	for range 3000 {
		id := d.id()
		keeper := keeperOf(id, nodes)
		kept[keeper]++
		rest := slices.DeleteFunc(slices.Clone(nodes), func(n match.Node) bool { return n == "b" })
		if keeper != "b" && keeperOf(id, rest) != keeper {
			t.Fatalf("the keeper of %s changes although it stays up", id)
		}
	}
	for _, n := range nodes {
		if kept[n] < 800 {
			t.Errorf("of 3000 matches %s keeps %d", n, kept[n])
		}
	}
}
