package lobby

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A player came from another node. The seek was ended as one that had moved there, because the registry delivers that
// ticket while the seek puts its own.
func TestWhereAPlayerCameFromIsNoMove(t *testing.T) {
	ann := match.Player{ID: "ann", Name: "ann"}
	for state, moved := range map[seekState]bool{seekEntering: false, seekWaiting: true} {
		l := New(t.Context(), Config{Node: "here", Store: match.NewMemory()})
		s := &Seek{lobby: l, player: ann, box: match.NewMailbox[SeekStatus](), state: state}
		l.seeks[ann.ID] = s
		s.follow(ticket{Player: ann, Node: "there"})
		if got := s.state == seekOver; got != moved {
			t.Errorf("in state %d: moved %t, want %t", state, got, moved)
		}
	}
}

// opener lets all play, and opens nothing.
type opener struct{}

func (opener) Admit(match.Player, []match.Terms) error { return nil }
func (opener) IsOver(match.ID) bool                    { return false }
func (opener) PlaysRated(match.PlayerID) bool          { return false }
func (opener) TakeSpoiled() []*match.State             { return nil }
func (opener) Draw() Drawn {
	return Drawn{ID: "drawn", Side: rules.First}
}

func (opener) Open(context.Context, match.ID, match.Opening, ...match.Entry) error {
	return nil
}

// lateRegistry delivers a ticket, and its pairing by another node, and then fails the put. This happens if the servers
// have lost the registry and the first message is stored twice.
type lateRegistry struct {
	match.Store
	lobby *Lobby
}

func (l *lateRegistry) Put(_ context.Context, e match.Entry) (match.Entry, error) {
	e.Revision, e.At = 5, l.Now()
	l.lobby.OnEntry(e)
	p, err := parseTicket(e)
	if err != nil {
		return match.Entry{}, err
	}
	e = p.toPutPaired("m", ticket{Player: match.Player{ID: "bob", Name: "bob"}})
	e.Revision, e.At = 6, l.Now()
	l.lobby.OnEntry(e)
	return match.Entry{}, match.ErrConflict
}

func (l *lateRegistry) Delete(context.Context, match.Entry) error { return nil }

// A player was paired before the put of the seek returned, which then failed: the match was opened without notifying
// the player.
func TestPairedBeforeTheRegistryAnswers(t *testing.T) {
	r := &lateRegistry{Store: match.NewMemory()}
	r.lobby = New(t.Context(), Config{
		Opener: opener{}, Store: r, Log: slog.New(slog.DiscardHandler),
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

// heldRegistry holds puts back while held is not nil, until held is closed.
type heldRegistry struct {
	match.Store
	held chan struct{}
}

func (h *heldRegistry) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	if h.held != nil {
		<-h.held
	}
	return h.Store.Put(ctx, e)
}

// A ticket had expired, because its node could put nothing for a time. Its player cancelled while Renew put it anew.
// The seek ended at once, and another node could pair the ticket that came after that.
func TestCancelWaitsForTheRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		r := &heldRegistry{Store: match.NewMemory()}
		l := New(ctx, Config{
			Opener: opener{}, Store: r, Log: slog.New(slog.DiscardHandler),
			JournalTimeout: time.Minute, Networks: func(match.PlayerID) []string { return nil }, Node: "here",
		})
		defer r.Watch(l.OnEntry)()
		s, err := l.Seek(ctx, match.Player{ID: "ann", Name: "ann"}, match.DefaultTerms())
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(2*match.EntryTTL + time.Second) // simulated
		r.held = make(chan struct{})
		go l.Renew(ctx)
		synctest.Wait()
		s.Cancel()
		if !l.HasSeek("ann") {
			t.Error("the seek has ended while its ticket is put anew")
		}
		close(r.held)
		synctest.Wait()
		<-time.After(2 * retryAfter)
		if l.HasSeek("ann") || l.queue.ticket("ann").waits() {
			t.Error("the seek or its ticket outlives the cancellation")
		}
	})
}
