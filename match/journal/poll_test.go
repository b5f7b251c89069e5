package journal

import (
	"slices"
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// What came while there was no consumer is asked for, and told once.
func TestPoll(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	putAll(t, s, []match.Event{left("a", 1), left("b", 1), left("a", 2)})
	var received []string
	f := newFollower(s.node.Conn, s.node.Config.Log, s.clock, natsd.MatchesStream, 1, func(m message) {
		if m.header.Get("Nats-Msg-Id") == "" || s.Now().Sub(m.at) > maxDelay {
			t.Errorf("told %+v", m)
		}
		received = append(received, strings.TrimPrefix(m.subject, natsd.MatchSubject))
	})
	for _, want := range []int{3, 0} {
		if n, err := f.poll(t.Context()); err != nil || n != want {
			t.Errorf("%d told, %v, want %d", n, err, want)
		}
	}
	putAll(t, s, []match.Event{left("b", 2)})
	if n, err := f.poll(t.Context()); err != nil || n != 1 || !slices.Equal(received, []string{"a", "b", "a", "b"}) {
		t.Errorf("%d told, %v, in all %v", n, err, received)
	}
}
