// Package journaltest holds the tests that every journal, registry and log of accounts must pass. An implementation
// calls [Journal], [Registry] and [Accounts] from its own tests.
//
// Tests of other packages use its data. The function [Events] has every kind of event, [Archive] and [Season] make
// finished matches, and a [Faulty] journal fails and stalls on demand. Only tests import the package.
package journaltest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"notakto/match"
	"notakto/rules"
)

// Journal runs the tests of [match.Journal]. open returns an empty journal that the test's cleanup closes.
func Journal(t *testing.T, open func(*testing.T) match.Journal) {
	for name, test := range map[string]func(*testing.T, match.Journal){
		"ExpectsTheNextSequence": expectsTheNextSequence,
		"KnowsNoOtherMatch":      knowsNoOtherMatch,
		"IsChecked":              isChecked,
		"CatchesUp":              catchesUp,
		"KeepsContexts":          keepsContexts,
		"LogCannotBeChanged":     logCannotBeChanged,
		"KeepsEveryField":        keepsEveryField,
		"RecordsAllOrNone":       recordsAllOrNone,
		"RecordsTwoMatches":      recordsTwoMatches,
		"TellsTheOtherGame":      tellsTheOtherGame,
		"DeliversInOrder":        deliversInOrder,
		"Archives":               archives,
		"ManyAppenders":          manyAppenders,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most tests wait for a server to start, for the disk, or for events
			test(t, open(t))
		})
	}
}

func put(t *testing.T, j match.Journal, id match.ID, seq uint64) error {
	t.Helper()
	before := j.Now()
	e := match.Event{Match: id, Seq: seq, Kind: match.Opened, Terms: match.DefaultTerms()}
	stored, err := j.Append(t.Context(), e)
	if err != nil {
		return err
	}
	e.At = stored.At
	if stored != e {
		t.Errorf("recorded as %+v", stored)
	}
	if early := before.Sub(stored.At); early.Seconds() > 1 || stored.At.Sub(j.Now()) > 0 {
		t.Errorf("recorded at %v, begun at %v, now %v", stored.At, before, j.Now())
	}
	return nil
}

func mustPut(t *testing.T, j match.Journal, id match.ID, seqs ...uint64) {
	t.Helper()
	for _, seq := range seqs {
		if err := put(t, j, id, seq); err != nil {
			t.Fatal(err)
		}
	}
}

func expectsTheNextSequence(t *testing.T, j match.Journal) {
	for _, seq := range []uint64{0, 2} {
		if err := put(t, j, "a", seq); !errors.Is(err, match.ErrConflict) {
			t.Errorf("event %d of a new match: %v", seq, err)
		}
	}
	mustPut(t, j, "a", 1, 2)
	mustPut(t, j, "b", 1)
	for _, seq := range []uint64{0, 1, 2, 4} {
		if err := put(t, j, "a", seq); !errors.Is(err, match.ErrConflict) {
			t.Errorf("event %d after 2: %v", seq, err)
		}
	}
	for after, want := range []int{2, 1, 0, 0} {
		events, err := j.Load(t.Context(), "a", uint64(after))
		if err != nil || len(events) != want || want > 0 && events[0].Seq != uint64(after)+1 {
			t.Errorf("after %d: %+v, %v", after, events, err)
		}
	}
}

func knowsNoOtherMatch(t *testing.T, j match.Journal) {
	for _, id := range []match.ID{"a", "", "a.b", "*", ">", "with space"} {
		_, err := j.Load(t.Context(), id, 0)
		for _, err := range []error{err, j.Archive(t.Context(), id)} {
			if !errors.Is(err, match.ErrNoSuchMatch) {
				t.Errorf("%q: %v", id, err)
			}
		}
	}
}

func isChecked(t *testing.T, j match.Journal) {
	mustPut(t, j, "a", 1)
	if err := j.Check(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("without any time: %v", err)
	}
}

func catchesUp(t *testing.T, j match.Journal) {
	if err := j.CatchUp(t.Context()); err != nil {
		t.Errorf("with nothing recorded: %v", err)
	}
	mustPut(t, j, "a", 1, 2)
	received := 0
	defer j.Subscribe(func(match.Event) { received++ })()
	if err := j.CatchUp(t.Context()); err != nil || received != 2 {
		t.Errorf("received %d events: %v", received, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.CatchUp(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("without any time: %v", err)
	}
}

func keepsContexts(t *testing.T, j match.Journal) {
	mustPut(t, j, "a", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, errAppend := j.Append(ctx, match.Event{Match: "a", Seq: 2, Kind: match.Left, Seat: rules.First})
	_, errRead := j.Load(ctx, "a", 0)
	for _, err := range []error{errAppend, errRead, j.Archive(ctx, "a")} {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	mustPut(t, j, "a", 2)
}

func logCannotBeChanged(t *testing.T, j match.Journal) {
	mustPut(t, j, "a", 1, 2)
	events, _ := j.Load(t.Context(), "a", 0)
	events[1].Match = "spoilt"
	_ = append(events[:1], match.Event{})
	if again, _ := j.Load(t.Context(), "a", 1); again[0].Match != "a" {
		t.Errorf("the log says %+v", again)
	}
}

func keepsEveryField(t *testing.T, j match.Journal) {
	const id = "k7h2m5q3xa"
	var want []match.Event
	for i, e := range Events(id) {
		stored, err := j.Append(t.Context(), e)
		if err != nil {
			t.Fatal(i, err)
		}
		e.At = stored.At
		want = append(want, e)
	}
	for _, when := range []string{"live", "archived"} {
		got, err := j.Load(t.Context(), id, 0)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %d of %d events, %v", when, len(got), len(want), err)
		}
		for i, e := range got {
			if at := e.At; !at.Equal(want[i].At) {
				t.Errorf("%s: event %d at %v, recorded at %v", when, i, at, want[i].At)
			}
			e.At = want[i].At
			if !reflect.DeepEqual(e, want[i]) {
				t.Errorf("%s: %+v, recorded %+v", when, e, want[i])
			}
		}
		if err := j.Archive(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
}

func deliversInOrder(t *testing.T, j match.Journal) {
	mustPut(t, j, "a", 1, 2)
	mustPut(t, j, "b", 1)
	mustPut(t, j, "archived", 1)
	if err := j.Archive(t.Context(), "archived"); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var received []string
	current := func() []string {
		mu.Lock()
		defer mu.Unlock()
		defer func() { received = nil }()
		return received
	}
	stop := j.Subscribe(func(e match.Event) {
		mu.Lock()
		defer mu.Unlock()
		received = append(received, fmt.Sprintf("%s%d", e.Match, e.Seq))
	})
	first := current()
	if fmt.Sprint(first) != "[a1 a2 b1]" && fmt.Sprint(first) != "[b1 a1 a2]" {
		t.Errorf("at first: %v", first)
	}
	mustPut(t, j, "a", 3)
	mustPut(t, j, "c", 1, 2)
	if next := current(); fmt.Sprint(next) != "[a3 c1 c2]" {
		t.Errorf("then: %v", next)
	}
	stop()
	stop()
	mustPut(t, j, "a", 4)
	if last := current(); last != nil {
		t.Errorf("after the end: %v", last)
	}
}

// An archived match accepts no event, also not a first one, and can still be loaded.
func archives(t *testing.T, j match.Journal) {
	for i := range 20 {
		id := match.ID(fmt.Sprintf("match%d", i))
		mustPut(t, j, id, 1, 2, 3)
		for range 2 {
			if err := j.Archive(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		if err := put(t, j, id, 4); !errors.Is(err, match.ErrArchived) {
			t.Errorf("an event after the end: %v", err)
		}
		if err := put(t, j, id, 1); !errors.Is(err, match.ErrConflict) {
			t.Errorf("a second beginning: %v", err)
		}
	}
	for i := range 20 {
		if events, err := j.Load(t.Context(), match.ID(fmt.Sprintf("match%d", i)), 1); err != nil || len(events) != 2 {
			t.Errorf("match %d: %v, %v", i, events, err)
		}
	}
}

// Of several equal appends one succeeds, and the event can be read once any of them returns.
func manyAppenders(t *testing.T, j match.Journal) {
	mustPut(t, j, "a", 1)
	var wins [52]int
	var mu sync.Mutex
	var appenders sync.WaitGroup
	for range 4 {
		appenders.Go(func() {
			for seq := uint64(2); seq <= 51; seq++ {
				_, err := j.Append(t.Context(), match.Event{Match: "a", Seq: seq, Kind: match.Left, Seat: rules.First})
				if err == nil {
					mu.Lock()
					wins[seq]++
					mu.Unlock()
				} else if !errors.Is(err, match.ErrConflict) {
					t.Error(err)
				}
				if events, err := j.Load(t.Context(), "a", seq-1); err != nil || len(events) == 0 {
					t.Errorf("event %d cannot be read: %v", seq, err)
				}
			}
		})
	}
	appenders.Wait()
	for seq := 2; seq <= 51; seq++ {
		if wins[seq] != 1 {
			t.Errorf("event %d was recorded %d times", seq, wins[seq])
		}
	}
}

func recordsAllOrNone(t *testing.T, j match.Journal) {
	events := Events("a")[1:5]
	for i := range events {
		events[i].Seq = uint64(i + 1)
	}
	var received []match.Event
	stop := j.Subscribe(func(e match.Event) { received = append(received, e) })
	last, err := j.Append(t.Context(), events[:3]...)
	if err != nil || last.Seq != 3 {
		t.Fatalf("recorded up to %d, %v", last.Seq, err)
	}
	for _, late := range [][]match.Event{events[:3], events[2:]} {
		if _, err := j.Append(t.Context(), late...); !errors.Is(err, match.ErrConflict) {
			t.Errorf("recorded again from %d: %v", late[0].Seq, err)
		}
	}
	if _, err := j.Append(t.Context(), events[3]); err != nil {
		t.Fatal(err)
	}
	stop()
	read, err := j.Load(t.Context(), "a", 0)
	if err != nil || !reflect.DeepEqual(read, received) {
		t.Errorf("received %+v, read %+v, %v", received, read, err)
	}
	for i := range read {
		events[i].At = read[i].At
	}
	if !reflect.DeepEqual(read, events) {
		t.Errorf("%+v were read as %+v", events, read)
	}
}

func recordsTwoMatches(t *testing.T, j match.Journal) {
	both := DaysPair(t, "a", "ann", "bob")
	mustPut(t, j, "b", 1)
	taken := slices.Clone(both)
	for i := range taken[4:] {
		taken[4+i].Match = "b"
	}
	if _, err := j.Append(t.Context(), taken...); !errors.Is(err, match.ErrConflict) {
		t.Errorf("one of two matches was recorded: %v", err)
	}
	if _, err := j.Load(t.Context(), "a", 0); !errors.Is(err, match.ErrNoSuchMatch) {
		t.Errorf("a part was recorded: %v", err)
	}
	last, err := j.Append(t.Context(), both...)
	if err != nil || last.Match != "a-2" || last.Seq != 3 {
		t.Fatalf("the last event is %+v, %v", last, err)
	}
	for id, want := range map[match.ID]int{"a": 4, "a-2": 3} {
		if got, err := j.Load(t.Context(), id, 0); err != nil || len(got) != want {
			t.Errorf("%s has %+v, %v", id, got, err)
		}
	}
}

// The event that ends the later game of a pair has the result of the earlier one, whichever game ends first.
func tellsTheOtherGame(t *testing.T, j match.Journal) {
	end := func(id match.ID, e match.Event) match.State {
		t.Helper()
		e.Match, e.Seq = id, 4
		if !strings.HasSuffix(string(id), "-2") {
			e.Seq = 5
		}
		if _, err := j.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		events, err := j.Load(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		return Fold(t, events...)
	}
	begin := func(id match.ID) {
		t.Helper()
		if _, err := j.Append(t.Context(), DaysPair(t, id, "ann", "bob")...); err != nil {
			t.Fatal(err)
		}
	}
	resigned := match.Event{Kind: match.Resigned, Seat: rules.First}
	for _, order := range [][2]match.ID{{"a", "a-2"}, {"b-2", "b"}} {
		begin(match.ID(strings.TrimSuffix(string(order[0]), "-2")))
		if s := end(order[0], resigned); !s.EndedFirst() || s.IsPairOver() || s.PairPoints(rules.Second) != 0 {
			t.Errorf("%s ends the pair: %+v", order[0], s.Pair)
		}
		s := end(order[1], resigned)
		if s.EndedFirst() || !s.IsPairOver() || s.Pair.OtherWinner != rules.First ||
			s.PairPoints(rules.First) != 1 || s.PairPoints(rules.Second) != 1 {
			t.Errorf("%s does not end the pair: %+v", order[1], s.Pair)
		}
	}
	begin("c")
	if s := end("c", match.Event{Kind: match.Adjudicated, Seat: rules.First}); s.EndedFirst() || s.OpeningSeed() == "" {
		t.Errorf("the operator does not make the pair void: %+v", s.Pair)
	}
	if s := end("c-2", resigned); s.EndedFirst() || s.IsPairOver() || !s.Pair.OtherVoid || s.OpeningSeed() == "" {
		t.Errorf("after a void game: %+v", s.Pair)
	}
}
