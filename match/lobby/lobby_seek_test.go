package lobby

import (
	"testing"

	"notakto/match"
)

// A player came from another node, and the registry answered before it showed the change: the seek was ended as one that
// had moved to the other node, although it had just come from there, and its match was opened and never told.
func TestWhereAPlayerCameFromIsNoMove(t *testing.T) {
	ann := match.Player{ID: "ann", Name: "ann"}
	for _, test := range []struct {
		revision uint64 // of what the registry shows
		moved    bool
	}{{6, false}, {8, true}} {
		l := New(t.Context(), Config{Node: "here"})
		s := &Seek{lobby: l, player: ann, box: match.NewMailbox[SeekStatus](), state: seekWaiting, revision: 7}
		l.seeks[ann.ID] = s
		l.tickets[keyOf(ann.ID)] = ticket{
			Player: ann, Terms: match.DefaultTerms(), Node: "there", note: match.Entry{Revision: test.revision},
		}
		followTicket(l, s)
		if moved := s.state == seekOver; moved != test.moved {
			t.Errorf("revision %d after 7: moved %t, want %t", test.revision, moved, test.moved)
		}
	}
}
