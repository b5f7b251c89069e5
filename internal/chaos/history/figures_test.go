package history

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"notakto/sshapp/bot/botproto"
)

func (s *script) figures(t *testing.T, nodes int) Figures {
	t.Helper()
	verdict, err := Check(s.record(), Terms{Grace: time.Minute, Nodes: nodes})
	if err != nil || len(verdict.Faults) > 0 {
		t.Fatalf("%v, %v", verdict.Faults, err)
	}
	return verdict.Figures
}

// A move that was sent on a connection cut before the answer may be recorded or not.
func TestMovesOfUnknownFate(t *testing.T) {
	for want := range 2 {
		s := newScript()
		s.begin()
		s.says("ann", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A5"})
		s.cuts("ann")
		s.opens("ann")
		s.asks("ann", []string{"A5"}[:want]...)
		if want == 1 {
			s.moves("bob", 1, "A5")
		}
		s.resigns()
		if got := s.figures(t, 1); got.Unknown != 1 || got.Recorded != want || got.Moves != want {
			t.Errorf("the figures are %+v", got)
		}
	}
}

func TestANodeMayBeBehind(t *testing.T) {
	s := newScript()
	s.begin()
	s.play("A5", "A1")
	s.returns("ann", "A5")
	s.moves("ann", 2, "A1")
	s.resigns()
	if got := s.figures(t, 3); got.Behind != 1 || got.LostMoves != 0 || got.Ends["resign"] != 1 {
		t.Errorf("the figures are %+v", got)
	}
}

func TestLossesAreCounted(t *testing.T) {
	s := newScript()
	s.begin()
	s.play("A5", "A1")
	s.returns("ann")
	s.resigns()
	verdict, err := Check(s.record(), Terms{Nodes: 1})
	if err != nil || verdict.Figures.LostMoves != 2 || verdict.Figures.Moves != 2 {
		t.Errorf("the figures are %+v (%v)", verdict.Figures, err)
	}
}

func TestTheLongestSilenceAndTheReturn(t *testing.T) {
	s := newScript()
	s.begin()
	s.pass(time.Second)
	s.play("A5")
	s.add(Entry{What: Done, Note: Started + " a"})
	s.pass(3 * time.Second)
	s.returns("bob", "A5")
	s.pass(2 * time.Second)
	s.says("bob", botproto.Request{Do: botproto.DoMove, Match: id, Move: "A1"})
	s.moves("bob", 2, "A1")
	s.moves("ann", 2, "A1")
	s.add(Entry{What: Done, Note: Quiet})
	s.pass(time.Hour)
	s.resigns()
	if got := s.figures(t, 1); got.Silence != 5*time.Second || len(got.Return) != 1 || got.Return[0] != 3*time.Second {
		t.Errorf("the figures are %+v", got)
	}
}

func TestABookIsReadBack(t *testing.T) {
	var text bytes.Buffer
	book := NewBook(&text)
	book.Add(Entry{Who: "ann", Link: 1, What: Opened, Note: "here"})
	book.Add(Entry{Who: "ann", Link: 1, What: Received, Line: []byte(`{"event":"pong"}`)})
	book.Add(Entry{Who: "ann", Link: 1, What: Received, Line: []byte("no JSON")})
	if err := book.Flush(); err != nil {
		t.Fatal(err)
	}
	text.WriteString("torn\n")
	var got []Entry
	for e, err := range Read(&text) {
		if err != nil {
			if !errors.Is(err, ErrNoEntry) || !strings.Contains(err.Error(), "torn") {
				t.Error(err)
			}
			continue
		}
		got = append(got, e)
	}
	if len(got) != 3 || got[0].N != 1 || got[0].Note != "here" || string(got[1].Line) != `{"event":"pong"}` ||
		got[2].Note != "no JSON" {
		t.Errorf("read back as %+v", got)
	}
}
