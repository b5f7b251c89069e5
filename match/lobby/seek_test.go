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

// opener admits every player and opens no match.
type opener struct{}

func (opener) Admit(match.Player, []match.Terms) error { return nil }
func (opener) ChargeCancelled(match.PlayerID)          {}
func (opener) IsOver(match.ID) bool                    { return false }
func (opener) PlaysRated(match.PlayerID) bool          { return false }
func (opener) TakeSpoiled() []*match.State             { return nil }
func (opener) Draw() Drawn                             { return Drawn{ID: "drawn", Side: rules.First} }

func (opener) Open(context.Context, match.ID, match.Opening, ...match.Entry) error {
	return nil
}

// newLobby returns the lobby of the node "here". Its caller delivers the entries of the store.
func newLobby(ctx context.Context, store match.Store, change func(*Config)) *Lobby {
	cfg := Config{
		Opener: opener{}, Store: store, Log: slog.New(slog.DiscardHandler), Node: "here", JournalTimeout: time.Minute,
	}
	if change != nil {
		change(&cfg)
	}
	return New(ctx, cfg)
}

// A player who was paired before the lobby looked at the queue had no terms. The screen that shows them ended with a
// panic in one of three sessions when 400 players came at once.
func TestASeekHasItsTermsFromTheBeginning(t *testing.T) {
	l := newLobby(t.Context(), match.NewMemory(), nil) // learns of no ticket, because no entry is delivered
	s, err := l.Seek(t.Context(), match.Player{ID: "ann", Name: "ann"}, match.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Latest(); len(got.Accepts) != 1 || got.Accepts[0] != match.DefaultTerms() || got.Since.IsZero() {
		t.Errorf("the status is %+v, want the terms and the time", got)
	}
}

// heldRegistry holds puts back until held is closed. A nil held holds no put back.
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

// The player cancels while Renew puts an expired ticket anew. If the seek ended before that put returns, another node
// could pair the ticket.
func TestCancelWaitsForTheRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		r := &heldRegistry{Store: match.NewMemory()}
		l := newLobby(ctx, r, nil)
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
		if l.HasSeek("ann") || l.queue.ticket("ann").isWaiting() {
			t.Error("the seek or its ticket outlives the cancellation")
		}
	})
}

// slowRegistry delivers the ticket of another node only after it has refused a put because of that ticket.
type slowRegistry struct {
	match.Store
	lobby *Lobby
	other match.Entry
}

func (s *slowRegistry) Put(_ context.Context, e match.Entry) (match.Entry, error) {
	if e.Revision != s.other.Revision {
		time.AfterFunc(retryAfter/2, func() { s.lobby.OnEntry(s.other) })
		return match.Entry{}, match.ErrConflict
	}
	e.Revision, e.At = s.other.Revision+1, s.Now()
	s.lobby.OnEntry(e)
	return e, nil
}

// A player seeks at two nodes at nearly the same time. The later seek replaces the other one, as at any other time.
func TestASeekReplacesATicketDeliveredLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ann := match.Player{ID: "ann", Name: "ann"}
		r := &slowRegistry{Store: match.NewMemory()}
		r.other = ticket{Player: ann, Node: "there", SeekNumber: 1, Accepts: []match.Terms{match.DefaultTerms()}}.toPut()
		r.other.Revision, r.other.At = 5, r.Now()
		r.lobby = newLobby(t.Context(), r, nil)
		if _, err := r.lobby.Seek(t.Context(), ann, match.DefaultTerms()); err != nil {
			t.Fatal(err)
		}
		if got := r.lobby.queue.ticket(ann.ID); got.Node != "here" || got.Order != r.other.Revision {
			t.Errorf("the ticket is of node %s with order %d", got.Node, got.Order)
		}
	})
}

// An older ticket would keep its old revision, so every pairing of it would fail until it expired.
func TestAnInvalidEntryDropsTheTicketBefore(t *testing.T) {
	ann := match.Player{ID: "ann", Name: "ann"}
	r := match.NewMemory()
	l := newLobby(t.Context(), r, nil)
	e := ticket{Player: ann, Node: "there", SeekNumber: 1, Accepts: []match.Terms{match.DefaultTerms()}}.toPut()
	e.Revision, e.At = 5, r.Now()
	l.OnEntry(e)
	if l.Waiting("").Count != 1 {
		t.Fatal("the ticket does not wait")
	}
	e.Revision, e.Text = 6, []byte("{")
	l.OnEntry(e)
	if l.Waiting("").Count != 0 {
		t.Error("the ticket still waits")
	}
}
