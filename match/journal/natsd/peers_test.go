package natsd

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// A node that was down caused four log lines a second on every other node.
func TestDownNodeIsSaidOnceAMinute(t *testing.T) {
	var log said
	n := &watcher{log: log.log(), self: nodeInfo{Name: "a"}, seen: map[string]*remote{}}
	members := []member{{ID: peerID("b"), Name: "b"}, {ID: peerID("c")}}
	up := []nodeAnswer{{nodeInfo: nodeInfo{Name: "b"}}, {nodeInfo: nodeInfo{Name: "c"}}}
	now := time.Now()
	n.compare(members, up, now)
	for range 100 { // two and a half minutes
		now = now.Add(askEvery)
		n.compare(members, up[:1], now)
	}
	if text := log.String(); strings.Count(text, "does not answer\"") != 1 ||
		strings.Count(text, "still does not answer") != 2 ||
		!strings.Contains(text, "duration_ms=66000") || !strings.Contains(text, "name="+peerID("c")) {
		t.Error(text)
	}
	n.compare(members[:1], up[:1], now) // it was removed
	n.compare(members, up[:1], now)
	if n.seen[peerID("c")].downSaid != (time.Time{}) {
		t.Error("a member that came anew counts as down at once")
	}
}

// The answer of a node that waits for admission used to be taken for that of the member asked.
func TestAnswersOfThoseWhoAreAsked(t *testing.T) {
	n := startNode(t, Config{Memory: true})
	_, err := n.JetStream.Conn().Subscribe(infoSubject, func(m *nats.Msg) {
		for _, name := range [...]string{"stranger", "b"} {
			_ = m.Respond([]byte(`{"name":"` + name + `"}`))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	wanted := []member{{ID: peerID("b")}}
	answers := askNodes(t.Context(), n.JetStream.Conn(), n.run, haveAnswered(wanted), time.Now)
	if len(answers) != 2 || answers[1].Name != "b" {
		t.Errorf("the answers are %+v", answers)
	}
}

func TestClocksAreComparedOnceAMinute(t *testing.T) {
	for _, test := range []struct {
		ahead, off time.Duration
		want       int
	}{
		{time.Second, 0, 0}, {-1900 * time.Millisecond, 0, 0}, {3 * time.Second, 2 * time.Second, 0},
		{2100 * time.Millisecond, 0, 2}, {-time.Hour, time.Second, 2},
	} {
		var log said
		n := &watcher{log: log.log(), self: nodeInfo{Name: "a"}, seen: map[string]*remote{}}
		now := time.Now()
		for range 50 { // a minute and a quarter
			n.compare([]member{{ID: peerID("b")}}, []nodeAnswer{{nodeInfo{Name: "b"}, test.ahead, test.off}}, now)
			now = now.Add(askEvery)
		}
		if got := strings.Count(log.String(), "level=ERROR"); got != test.want {
			t.Errorf("%v ahead, give or take %v: %d lines, want %d\n%s", test.ahead, test.off, got, test.want, log.String())
		}
	}
}

// Whether a node without data may join, by the answers of the others.
func TestJudge(t *testing.T) {
	met := func(names ...string) (all []member) {
		for _, name := range names {
			all = append(all, member{ID: peerID(name), Name: name})
		}
		return all
	}
	node := func(name string, members []member) nodeAnswer {
		return nodeAnswer{nodeInfo: nodeInfo{Name: name, Joined: members != nil, Members: members}}
	}
	unmet := []member{{ID: peerID("a")}, {ID: peerID("b")}, {ID: peerID("c")}}
	for _, test := range []struct {
		name, replace string
		answers       []nodeAnswer
		wait, err     string
	}{
		{"no answer", "", nil, "to be started", ""},
		{"one empty, one silent", "", []nodeAnswer{node("b", nil)}, "to be started", ""},
		{"all empty", "", []nodeAnswer{node("b", nil), node("c", nil)}, "", ""},
		{"one has begun", "", []nodeAnswer{node("b", met("b"))}, "", ""},
		{"there is room", "", []nodeAnswer{node("b", met("b", "c"))}, "", ""},
		{"its name is a member's", "", []nodeAnswer{node("b", met("a", "b"))}, "", "--replace NAME"},
		{"its name is one that was not met", "", []nodeAnswer{node("b", unmet)}, "", "--replace NAME"},
		{"the cluster is full", "", []nodeAnswer{node("b", met("b", "c", "x"))}, "", "do not answer: c, x"},
		{"another runs under its name", "", []nodeAnswer{node("a", nil)}, "", "stop that one"},
		{"it takes a lost one's place", "a", []nodeAnswer{node("b", met("a", "b", "c"))}, "", ""},
		{"it takes the place of one that was not met", "a", []nodeAnswer{node("b", unmet)}, "", ""},
		{"the lost one answers", "a", []nodeAnswer{node("a", met("a", "b", "c"))}, "", "stop that one"},
		{"no such member", "a", []nodeAnswer{node("b", met("b", "c", "x"))}, "", "the members are b, c, x"},
		{"a place in a new cluster", "a", []nodeAnswer{node("b", nil), node("c", nil)}, "one that has data", ""},
	} {
		c := Config{Node: "a", Cluster: Cluster{Listen: "a:1", Peers: []string{"b:1", "c:1"}, Replace: test.replace}}
		wait, err := c.judge(test.answers, false)
		if (test.wait == "") != (wait == "") || !strings.Contains(wait, test.wait) || (err == nil) != (test.err == "") ||
			err != nil && (!errors.Is(err, ErrNotAdmitted) || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%s: waits for %q, %v", test.name, wait, err)
		}
	}
}

// Two nodes without data that join the only one with matches could elect a leader that knows none.
func TestTurnOfNewNodes(t *testing.T) {
	node := func(name string, matches bool, members ...string) (a nodeAnswer) {
		a.Name, a.Joined, a.Matches = name, len(members) > 0, matches
		for _, m := range members {
			a.Members = append(a.Members, member{ID: peerID(m), Name: m})
		}
		return a
	}
	c := Config{Node: "b", Cluster: Cluster{Listen: "b:1", Peers: []string{"a:1", "c:1"}}}
	for _, test := range []struct {
		name    string
		answers []nodeAnswer
		waits   bool
	}{
		{"a new cluster begins", []nodeAnswer{node("a", false, "a"), node("c", false)}, false},
		{"most are members", []nodeAnswer{node("a", true, "a", "c"), node("c", true, "a", "c")}, false},
		{"one is lost", []nodeAnswer{node("a", true, "a", "c")}, false},
		{"another does not answer", []nodeAnswer{node("a", true, "a")}, true},
		{"another is about to join", []nodeAnswer{node("x", true, "x"), node("a", false)}, true},
		{"another has begun to join", []nodeAnswer{node("x", true, "x"), node("a", false, "a", "x")}, true},
	} {
		if why := new(guestServer).awaitTurn(t.Context(), c, test.answers); (why != "") != test.waits {
			t.Errorf("%s: waits for %q", test.name, why)
		}
	}
}
