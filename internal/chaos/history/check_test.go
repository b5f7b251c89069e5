package history

import (
	"iter"
	"slices"
	"testing"
	"time"

	"notakto/sshapp/bot/botproto"
)

func TestEveryKindOfFaultIsFound(t *testing.T) {
	for _, test := range []struct {
		name  string
		play  func(*script)
		wants []Kind
	}{
		{"nothing is wrong", func(s *script) { s.begin(); s.play("A5", "A1", "A9"); s.ends("boards") }, nil},
		{"an acknowledged move is gone after a restart", func(s *script) {
			s.begin()
			s.play("A5", "A1")
			s.returns("ann", "A5")
			s.resigns()
		}, []Kind{Lost}},
		{"a spectator was told of a move that is gone", func(s *script) {
			s.begin()
			s.opens("eve")
			s.says("eve", botproto.Request{Do: botproto.DoWatch, Match: id})
			s.shows("eve", 0)
			s.says("ann", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A5"})
			s.moves("eve", 1, "A5")
			s.returns("bob")
			s.resigns()
		}, []Kind{Lost}},
		{"the match is gone", func(s *script) {
			s.begin()
			s.play("A5")
			s.cuts("ann")
			s.opens("ann")
			s.says("ann", botproto.Request{Do: botproto.DoWatch, Match: id})
			s.tells("ann", botproto.Error{Code: botproto.CodeNoSuchMatch, Do: botproto.DoWatch})
		}, []Kind{Vanished}},
		{"a welcome without the match", func(s *script) {
			s.begin()
			s.cuts("ann")
			s.listed = nil
			s.opens("ann")
			s.asks("ann")
			s.resigns()
		}, []Kind{Unlisted}},
		{"two moves at one ply", func(s *script) {
			s.begin()
			s.says("ann", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A5"})
			s.says("ann", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A6"})
			s.moves("ann", 1, "A5")
			s.moves("bob", 1, "A6")
			s.resigns()
		}, []Kind{Split}},
		{"two winners", func(s *script) {
			s.begin()
			s.says("ann", botproto.Request{Do: botproto.DoResign, Match: id})
			s.tells("ann", botproto.End{Match: id, Winner: 2, Reason: "resign"})
			s.tells("bob", botproto.End{Match: id, Winner: 1, Reason: "resign"})
		}, []Kind{Split}},
		{"a move is told twice", func(s *script) {
			s.begin()
			s.play("A5")
			s.moves("bob", 1, "A5")
			s.resigns()
		}, []Kind{Twice}},
		{"a move is recorded twice", func(s *script) { s.begin(); s.play("A5", "A5"); s.resigns() }, []Kind{Twice}},
		{"the end is told twice", func(s *script) { s.begin(); s.resigns(); s.resigns() }, []Kind{Twice, Twice}},
		{"a move on a dead board", func(s *script) {
			s.begin()
			s.play("A5", "A1", "A9", "A2")
			s.resigns()
		}, []Kind{Illegal, WrongEnd}},
		{"a move out of turn", func(s *script) {
			s.begin()
			s.says("bob", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A5"})
			for _, who := range []string{"ann", "bob"} {
				s.tells(who, botproto.Move{Match: id, Ply: 1, Seat: 2, Move: "A5", Turn: 1})
			}
			s.resigns()
		}, []Kind{Illegal, Illegal, Unrequested}},
		{"a move that no player asked for", func(s *script) {
			s.begin()
			s.moves("ann", 1, "A5")
			s.moves("bob", 1, "A5")
			s.resigns()
		}, []Kind{Unrequested}},
		{"a move that was refused", func(s *script) {
			s.begin()
			s.says("ann", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A5"})
			s.tells("ann", botproto.Error{Code: botproto.CodeCellTaken, Do: botproto.DoMove})
			s.moves("bob", 1, "A5")
			s.moves("ann", 1, "A5")
			s.resigns()
		}, []Kind{Unrequested}},
		{"a hole in a session's moves", func(s *script) {
			s.begin()
			s.says("ann", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A5"})
			s.says("bob", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A1"})
			s.moves("ann", 1, "A5")
			s.moves("ann", 2, "A1")
			s.moves("bob", 2, "A1")
			s.resigns()
		}, []Kind{Gap}},
		{"a move of a match that was not told", func(s *script) { s.opens("ann"); s.moves("ann", 1, "A5") }, []Kind{Gap}},
		{"the wrong winner", func(s *script) {
			s.begin()
			s.play("A5", "A1", "A9")
			s.tells("ann", botproto.End{Match: id, Winner: 1, Reason: "boards"})
		}, []Kind{WrongEnd}},
		{"an end in the middle", func(s *script) { s.begin(); s.play("A5"); s.ends("boards") }, []Kind{WrongEnd}},
		{"no player resigned", func(s *script) { s.begin(); s.ends("resign") }, []Kind{WrongEnd}},
		{"a move after the end", func(s *script) {
			s.begin()
			s.resigns()
			s.says("ann", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A5"})
			s.moves("ann", 1, "A5")
		}, []Kind{WrongEnd}},
		{"it goes on after its end", func(s *script) { s.begin(); s.resigns(); s.returns("ann") }, []Kind{WrongEnd}},
		{"it never ends", func(s *script) { s.begin(); s.play("A5") }, []Kind{Unfinished}},
		{"abandoned by who was there", func(s *script) {
			s.begin()
			s.pass(time.Hour)
			s.ends("abandoned")
		}, []Kind{Deserted}},
		{"abandoned by who was away for a moment", func(s *script) {
			s.begin()
			s.pass(time.Hour)
			s.cuts("bob")
			s.pass(time.Second)
			s.tells("ann", botproto.End{Match: id, Winner: 1, Reason: "abandoned"})
		}, []Kind{Deserted}},
		{"abandoned as it should be", func(s *script) {
			s.begin()
			s.cuts("bob")
			s.pass(time.Hour)
			s.tells("ann", botproto.End{Match: id, Winner: 1, Reason: "abandoned"})
		}, nil},
		{"not the protocol", func(s *script) {
			s.opens("ann")
			s.add(Entry{Who: "ann", Link: 1, What: Received, Note: "panic: x"})
		}, []Kind{Garbled}},
		{"an event that the protocol does not have", func(s *script) {
			s.opens("ann")
			s.add(Entry{Who: "ann", Link: 1, What: Received, Line: []byte(`{"event":"dance"}`)})
		}, []Kind{Garbled}},
		{"a line of a connection that is not open", func(s *script) { s.tells("ann", botproto.Seeking{}) }, []Kind{Garbled}},
		{"another player's seat", func(s *script) { s.begin(); s.shows("ann", 2); s.resigns() }, []Kind{Garbled}},
		{"other players", func(s *script) { s.begin(); s.swap(); s.shows("ann", 2); s.resigns() }, []Kind{Split, Garbled}},
	} {
		s := newScript()
		test.play(s)
		verdict, err := Check(s.record(), Terms{Grace: time.Minute, Nodes: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := kinds(verdict.Faults); !slices.Equal(got, test.wants) {
			t.Errorf("%s: the faults are %v, want %v", test.name, verdict.Faults, test.wants)
		}
	}
}

func kinds(faults []Fault) (all []Kind) {
	for _, f := range faults {
		all = append(all, f.Kind)
	}
	return all
}

func (s *script) record() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, e := range s.entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}
