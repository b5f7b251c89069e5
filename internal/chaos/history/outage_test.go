package history

import (
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

// out adds an outage with a notice to all clients.
func (s *script) out(lasting time.Duration) {
	s.add(Entry{What: Done, Note: "out", Out: true})
	for who := range s.links {
		s.tells(who, botproto.Notice{Message: "the server cannot save moves now"})
	}
	s.pass(lasting)
	s.add(Entry{What: Done, Note: "over"})
}

// clocked plays a move in game "one" of a rated pair, and sets both clocks to left.
func (s *script) clocked(who string, ply int, move string, left time.Duration) {
	s.says(who, botproto.Request{Do: botproto.DoMove, Match: "one", Move: move})
	for _, to := range []string{"ann", "bob"} {
		s.tells(to, botproto.Move{
			Match: "one", Ply: ply, Seat: s.seat(who), Move: move, Turn: s.seat(who).Other(),
			Clocks: &wire.Clocks{left.Milliseconds(), left.Milliseconds()},
		})
	}
}

func TestOutages(t *testing.T) {
	const whole = 6 * time.Minute
	for _, test := range []struct {
		name  string
		play  func(*script)
		wants []Kind
		out   time.Duration
	}{
		{"nothing is charged", func(s *script) {
			s.out(time.Minute)
			s.clocked("bob", 2, "D2", whole)
		}, nil, time.Minute},
		{"the rest of the turn is charged", func(s *script) {
			s.pass(10 * time.Second)
			s.out(time.Minute)
			s.clocked("bob", 2, "D2", whole-10*time.Second)
		}, nil, time.Minute},
		{"the outage is charged", func(s *script) {
			s.out(time.Minute)
			s.clocked("bob", 2, "D2", whole-10*time.Second)
		}, []Kind{Charged}, time.Minute},
		{"a move still fits on the disk", func(s *script) {
			s.pass(2 * time.Second)
			s.add(Entry{What: Done, Note: "out", Out: true})
			s.pass(stillRecorded - 1)
			s.clocked("bob", 2, "D2", whole-2*time.Second-stillRecorded)
			s.pass(time.Second)
			s.add(Entry{What: Done, Note: "over"})
		}, nil, time.Second},
		{"a move is recorded before the end is known", func(s *script) {
			s.add(Entry{What: Done, Note: "out", Out: true})
			s.pass(10 * time.Second)
			s.clocked("bob", 2, "D2", whole-5*time.Second)
			s.pass(time.Second)
			s.add(Entry{What: Done, Note: "over"})
		}, []Kind{Charged}, 10 * time.Second},
		{"a client is told nothing", func(s *script) {
			s.add(Entry{What: Done, Note: "out", Out: true})
			s.tells("ann", botproto.Notice{Message: "the server cannot save moves now"})
			s.pass(time.Minute)
		}, []Kind{Untold}, time.Minute},
		{"a short outage", func(s *script) {
			s.add(Entry{What: Done, Note: "out", Out: true})
			s.pass(toldWithin)
		}, nil, toldWithin},
	} {
		s := newScript()
		s.listed = []match.ID{"one"}
		for _, who := range []string{"ann", "bob"} {
			s.opens(who)
			s.says(who, botproto.Request{Do: botproto.DoSeek, Rated: true})
		}
		s.game("one", 1, nil)
		s.clocked("ann", 1, "D1", whole)
		test.play(s)
		s.add(Entry{What: Done, Note: Quiet})
		verdict, err := Check(s.record(), Terms{Grace: time.Minute, Nodes: 2})
		if err != nil {
			t.Fatal(err)
		}
		faults := slices.DeleteFunc(kinds(verdict.Faults), func(k Kind) bool { return k != Charged && k != Untold })
		if !slices.Equal(faults, test.wants) || verdict.Figures.Out != test.out {
			t.Errorf("%s: the faults are %v, want %v; the figures %+v", test.name, verdict.Faults, test.wants, verdict.Figures)
		}
	}
}
