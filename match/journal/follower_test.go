package journal

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// Messages stored while there was no consumer are requested, and delivered once.
func TestCatchUp(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	putAll(t, s, []match.Event{left("a", 1), left("b", 1), left("a", 2)})
	var received []string
	f := newFollower(s.node, s.clock, s.node.Streams.Matches, 1, func(m message) {
		if m.header.Get("Nats-Msg-Id") == "" || s.Now().Sub(m.at) > maxDelay {
			t.Errorf("told %+v", m)
		}
		received = append(received, strings.TrimPrefix(m.subject, natsd.MatchSubject))
	})
	for _, want := range []int{3, 0} {
		if n := f.catchUp(t.Context()); n != want {
			t.Errorf("%d delivered, want %d", n, want)
		}
	}
	putAll(t, s, []match.Event{left("b", 2)})
	if n := f.catchUp(t.Context()); n != 1 || !slices.Equal(received, []string{"a", "b", "a", "b"}) {
		t.Errorf("%d delivered, in all %v", n, received)
	}
}

// The client reads a stream that allows direct reads from any server with a copy. One that is behind lacks a match that
// another node has just opened.
func TestReadsGoToTheLeader(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	for _, stream := range []jetstream.Stream{
		s.node.Streams.Matches, s.node.Streams.Archive, s.node.Streams.Registry, s.node.Streams.Searches,
	} {
		name := stream.CachedInfo().Config.Name
		asked, err := s.node.JetStream.Conn().SubscribeSync("$JS.API.STREAM.MSG.GET." + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.node.JetStream.Conn().Flush(); err != nil {
			t.Fatal(err)
		}
		if _, err := stream.GetLastMsgForSubject(t.Context(), "notakto.none"); !errors.Is(err, jetstream.ErrMsgNotFound) {
			t.Error(err)
		}
		for request := ""; !strings.Contains(request, "notakto.none"); { // followers send requests too
			m, err := asked.NextMsg(10 * time.Second)
			if err != nil {
				t.Fatalf("the leader of %s was not asked: %v", name, err)
			}
			request = string(m.Data)
		}
	}
}

// A follower that waits for a server that is down is alive; one that is stuck in the delivery of an event is not.
func TestAStoreIsAliveUntilAFollowerStandsStill(t *testing.T) {
	s := open(t, natsd.Config{Dir: t.TempDir()})
	if err := s.Stats().Alive(); err != nil {
		t.Errorf("a new store: %v", err)
	}
	before := s.stats.followers[2].ticked.Load()
	for s.stats.followers[2].ticked.Load() == before { // with the next heartbeat
		natsd.Wait(t.Context(), 10*time.Millisecond)
	}
	s.stats.followers[1].ticked.Store(time.Now().Add(-2 * aliveWithin).UnixNano())
	if err := s.Stats().Alive(); err == nil || !strings.Contains(err.Error(), "ARCHIVE") {
		t.Errorf("with a follower that stands still: %v", err)
	}
}
