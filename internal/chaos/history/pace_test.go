package history

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"notakto/sshapp/bot/botproto"
)

// crowd opens enoughPlayers connections, because limits apply to busy nodes only.
func (s *script) crowd() {
	for i := range enoughPlayers {
		s.opens(fmt.Sprintf("eye%d", i))
	}
}

func (s *script) limit(limit time.Duration) {
	s.add(Entry{What: Done, Note: "heal node1", Limit: limit})
}

func (s *script) seeks(who string) {
	s.says(who, botproto.Request{Do: botproto.DoSeek, Variant: "notakto/1"})
}

func TestLimits(t *testing.T) {
	for name, test := range map[string]struct {
		play  func(*script)
		wants int
	}{
		"moves in time": {func(s *script) {
			s.crowd()
			s.limit(time.Second)
			s.play("A5")
			s.pass(time.Second)
			s.play("A5", "A1")
		}, 0},
		"a late move":       {func(s *script) { s.crowd(); s.limit(time.Second); s.pass(2 * time.Second); s.play("A5") }, 1},
		"no move at all":    {func(s *script) { s.crowd(); s.limit(time.Second); s.pass(2 * time.Second); s.limit(0) }, 1},
		"a node left alone": {func(s *script) { s.limit(time.Second); s.pass(2 * time.Second); s.play("A5") }, 0},
		"no limit":          {func(s *script) { s.crowd(); s.limit(0); s.pass(2 * time.Second); s.play("A5") }, 0},
		"a late move at a frozen server": {func(s *script) {
			s.crowd()
			s.add(Entry{What: Done, Note: "frozen", Who: s.node, Limit: time.Second})
			s.pass(2 * time.Second)
			s.limit(0)
		}, 0},
		"a late move at another server": {func(s *script) {
			s.crowd()
			s.add(Entry{What: Done, Note: "frozen", Who: "another", Limit: time.Second})
			s.pass(2 * time.Second)
			s.limit(0)
		}, 1},
		"a seek without an answer": {func(s *script) {
			s.limit(time.Second)
			s.seeks("ann")
			s.pass(seekLimit + 1)
			s.tells("ann", botproto.Seeking{})
		}, 1},
		"two seeks": {func(s *script) {
			s.limit(time.Second)
			for _, who := range []string{"ann", "bob"} {
				s.seeks(who)
				s.tells(who, botproto.Seeking{})
				s.pass(seekLimit)
			}
			s.pass(1)
			s.cuts("ann")
		}, 1},
		"a seek that is alone": {func(s *script) {
			s.limit(time.Second)
			s.seeks("ann")
			s.tells("ann", botproto.Seeking{})
			s.pass(seekLimit)
			s.seeks("bob")
			s.pass(seekLimit)
			s.cuts("ann")
		}, 0},
	} {
		s := newScript()
		s.node = "node1"
		s.begin()
		test.play(s)
		verdict, err := Check(s.record(), Terms{Grace: time.Minute, Nodes: 3})
		if err != nil {
			t.Fatal(err)
		}
		faults := slices.DeleteFunc(verdict.Faults, func(f Fault) bool { return f.Kind != Stalled })
		if len(faults) != test.wants {
			t.Errorf("%s: the faults are %v, want %d", name, faults, test.wants)
		}
	}
}
