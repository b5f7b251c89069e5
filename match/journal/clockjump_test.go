package journal

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// When the server's clock jumps ahead it drops all entries at once. Nodes could neither renew their entries nor put
// others.
func TestAnEntryThatTheServerDroppedTooEarlyIsRenewed(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	stored, err := s.Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("first")})
	if err != nil {
		t.Fatal(err)
	}
	board, err := s.node.JetStream.Stream(t.Context(), natsd.RegistryStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := board.Purge(t.Context(), jetstream.WithPurgeSubject(natsd.RegistrySubject+"seek.1")); err != nil {
		t.Fatal(err)
	}
	stored.Text = []byte("renewed")
	if stored, err = s.Put(t.Context(), stored); err != nil || string(s.registry.entry("seek.1").Text) != "renewed" {
		t.Fatalf("renewed: %v, the note says %q", err, s.registry.entry("seek.1").Text)
	}
	if err := s.Delete(t.Context(), stored); err != nil {
		t.Error(err)
	}
}

// When the server's clock jumps back it keeps entries that have expired. Their keys could not be used until the clock
// had caught up.
func TestAKeyThatTheServerKeptTooLongCanBeUsed(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	stored, err := s.Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("first")})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	s.registry.mu.Lock()
	delete(s.registry.entries, "seek.1") // too old
	s.registry.mu.Unlock()
	if _, err := s.Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("second")}); err != nil {
		t.Errorf("pinned again: %v", err)
	}
}
