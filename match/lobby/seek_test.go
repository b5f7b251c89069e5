package lobby

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A player came from another node, and the registry returned from the put before it delivered the change. The seek was
// ended as one that had moved to the other node, and the match was opened without notifying the player.
func TestWhereAPlayerCameFromIsNoMove(t *testing.T) {
	ann := match.Player{ID: "ann", Name: "ann"}
	for _, test := range []struct {
		revision uint64 // of the delivered ticket
		moved    bool
	}{{6, false}, {8, true}} {
		l := New(t.Context(), Config{Node: "here"})
		s := &Seek{lobby: l, player: ann, box: match.NewMailbox[SeekStatus](), state: seekWaiting, revision: 7}
		l.seeks[ann.ID] = s
		l.queue.tickets[keyOf(ann.ID)] = ticket{
			Player: ann, Terms: match.DefaultTerms(), Node: "there", entry: match.Entry{Revision: test.revision},
		}
		s.follow()
		if moved := s.state == seekOver; moved != test.moved {
			t.Errorf("revision %d after 7: moved %t, want %t", test.revision, moved, test.moved)
		}
	}
}

// opener opens every match and reports it.
type opener struct{ opened chan match.ID }

func (o opener) Admit(match.Player, []match.Terms) error { return nil }
func (o opener) IsOver(match.ID) bool                    { return false }
func (o opener) PlaysRated(match.PlayerID) bool          { return false }
func (o opener) TakeSpoiled() []*match.State             { return nil }
func (o opener) Draw() Drawn                             { return Drawn{ID: "drawn", Side: rules.First} }
func (o opener) OpenShared(_ context.Context, id match.ID, _ match.Opening) error {
	o.opened <- id
	return nil
}

// lateRegistry delivers a ticket, and its pairing by another node, and then fails the put. This happens if the servers
// have lost the registry and the first message is stored twice.
type lateRegistry struct {
	match.Registry
	lobby  *Lobby
	opener opener
}

func (l *lateRegistry) Put(_ context.Context, e match.Entry) (match.Entry, error) {
	e.Revision, e.At = 5, l.lobby.cfg.Journal.Now()
	p, err := parseTicket(e)
	if err != nil {
		return match.Entry{}, err
	}
	bob := ticket{Player: match.Player{ID: "bob", Name: "bob"}, Terms: p.Terms, Node: "there"}
	p = p.promised(Drawn{ID: "m"}, p.Terms, rules.Second, bob)
	p.entry.Revision = 6
	p.entry.Text = p.text()
	l.lobby.OnEntry(p.entry)
	<-l.opener.opened
	return match.Entry{}, match.ErrConflict
}

func (l *lateRegistry) Delete(context.Context, match.Entry) error { return nil }

// A player was paired before the put of the seek returned, which then failed: the match was opened without notifying
// the player.
func TestPairedBeforeTheRegistryAnswers(t *testing.T) {
	r := &lateRegistry{opener: opener{make(chan match.ID, 1)}}
	r.lobby = New(t.Context(), Config{
		Opener: r.opener, Journal: match.NewMemory(), Registry: r, Log: slog.New(slog.DiscardHandler),
		JournalTimeout: time.Minute, Networks: func(match.PlayerID) []string { return nil }, Node: "here",
	})
	s, err := r.lobby.Seek(t.Context(), match.Player{ID: "ann", Name: "ann"}, match.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	for status := range s.Status() {
		if status.Match == "m" {
			return
		}
	}
	t.Error("the match is not told")
}
