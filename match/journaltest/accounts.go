package journaltest

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"sync"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
)

// Accounts runs the tests of [account.Log]. open returns a log with no event except perhaps the secret. The test's
// cleanup closes the log.
func Accounts(t *testing.T, open func(*testing.T) account.Log) {
	for name, test := range map[string]func(*testing.T, account.Log){
		"ExpectsTheNextSequence": accountsExpectTheNextSequence,
		"KeepsEveryField":        accountsKeepEveryField,
		"ManyWriters":            accountsOfManyWriters,
		"OneSecret":              accountsHaveOneSecret,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func recorded(log account.Log) (all []account.Event) {
	log.Subscribe(func(e account.Event) { all = append(all, e) })()
	return all
}

// decided returns an event with every field that is recorded.
func decided(seq uint64) account.Event {
	return account.Event{
		Seq: seq, Kind: account.Banned, Kick: true,
		Ban: &account.Ban{
			Subject: account.Subject{Account: "a", Key: "k", Network: netip.MustParsePrefix("192.0.2.0/24")},
			Until:   time.UnixMilli(1).UTC(), Reason: "spam", By: "b",
		},
		Account: "aaaabbbbccccdddd", Key: "eeeeffffgggghhhh",
		Name: "Ann", Looks: []string{"ann", "^ann"},
		Code: "c", ShownID: "x", Secret: []byte("s"),
		Preferences: account.Preferences{Theme: "dark", Digits: "on", Mouse: "off", Bell: "off", Motion: "off"},
	}
}

func accountsExpectTheNextSequence(t *testing.T, log account.Log) {
	next := uint64(len(recorded(log))) + 1
	for _, seq := range []uint64{0, next + 1} {
		if _, err := log.Append(t.Context(), decided(seq)); !errors.Is(err, match.ErrConflict) {
			t.Errorf("event %d, when %d is the next: %v", seq, next, err)
		}
	}
	for seq := next; seq < next+3; seq++ {
		if _, err := log.Append(t.Context(), decided(seq)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := log.Append(t.Context(), decided(next)); !errors.Is(err, match.ErrConflict) {
		t.Errorf("event %d again: %v", next, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := log.Append(ctx, decided(next+3)); !errors.Is(err, context.Canceled) {
		t.Errorf("without any time: %v", err)
	}
}

// Subscribe delivers events as they were recorded, even earlier ones, and stop ends the delivery.
func accountsKeepEveryField(t *testing.T, log account.Log) {
	next := uint64(len(recorded(log))) + 1
	var received []account.Event
	want := make([]account.Event, 0, 2)
	var stop func()
	for i := range uint64(3) {
		stored, err := log.Append(t.Context(), decided(next+i))
		if err != nil || time.Since(stored.At).Abs() > time.Minute {
			t.Fatalf("recorded at %v, %v", stored.At, err)
		}
		if got := log.Event(next + i); !reflect.DeepEqual(got, stored) {
			t.Errorf("read %+v, recorded %+v", got, stored)
		}
		if i < 2 {
			want = append(want, decided(next+i))
		}
		switch i {
		case 0:
			stop = log.Subscribe(func(e account.Event) { received = append(received, e) })
		case 1:
			stop()
			stop()
		}
	}
	received = received[next-1:]
	for i := range received {
		received[i].At = time.Time{}
	}
	if !reflect.DeepEqual(received, want) {
		t.Errorf("received %+v, want %+v", received, want)
	}
}

// Of several equal appends one succeeds. By then the failed writers have the event of the winner.
func accountsOfManyWriters(t *testing.T, log account.Log) {
	first := uint64(len(recorded(log))) + 1
	var mu sync.Mutex
	wins := map[uint64]int{}
	var writers sync.WaitGroup
	for writer := range 4 {
		writers.Go(func() {
			for seq := first; seq < first+20; seq++ {
				e := decided(seq)
				e.Name = fmt.Sprint(writer)
				stored, err := log.Append(t.Context(), e)
				if err != nil && !errors.Is(err, match.ErrConflict) {
					t.Error(err)
				}
				all := recorded(log)
				if uint64(len(all)) < seq {
					t.Errorf("event %d was refused, and none came first", seq)
					return
				}
				if mine := all[seq-1].Name == e.Name; mine != (err == nil) || mine && stored.Name != e.Name {
					t.Errorf("event %d is that of %s; that of %d: %v", seq, all[seq-1].Name, writer, err)
				}
				if err == nil {
					mu.Lock()
					wins[seq]++
					mu.Unlock()
				}
			}
		})
	}
	writers.Wait()
	for seq := first; seq < first+20; seq++ {
		if wins[seq] != 1 {
			t.Errorf("event %d was recorded %d times", seq, wins[seq])
		}
	}
}

// Directories that are opened at one time agree on the identifier of a key.
func accountsHaveOneSecret(t *testing.T, log account.Log) {
	ids := make([]account.KeyID, 4)
	var openers sync.WaitGroup
	for i := range ids {
		openers.Go(func() {
			directory, stop, err := account.Open(t.Context(), log, nil, time.Now)
			if err != nil {
				t.Error(err)
				return
			}
			defer stop()
			ids[i] = directory.Key("SHA256:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg")
		})
	}
	openers.Wait()
	for _, id := range ids {
		if id != ids[0] || len(id) != 16 {
			t.Errorf("a key is known as %v", ids)
		}
	}
}
