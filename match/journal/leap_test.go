package journal

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// When the server's clock leaps ahead it drops all notes at once. Those who had pinned them could neither renew them nor pin others.
func TestANoteThatTheServerDroppedTooEarlyIsRenewed(t *testing.T) {
	s := open(t, Config{Memory: true})
	pinned, err := s.Pin(t.Context(), match.Note{Key: "seek.1", Text: []byte("first")})
	if err != nil {
		t.Fatal(err)
	}
	board, err := s.js.Stream(t.Context(), boardStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := board.Purge(t.Context(), jetstream.WithPurgeSubject(boardSubject+"seek.1")); err != nil {
		t.Fatal(err)
	}
	pinned.Text = []byte("renewed")
	if pinned, err = s.Pin(t.Context(), pinned); err != nil || string(s.notes.note("seek.1").Text) != "renewed" {
		t.Fatalf("renewed: %v, the note says %q", err, s.notes.note("seek.1").Text)
	}
	if err := s.Unpin(t.Context(), pinned); err != nil {
		t.Error(err)
	}
}

// When the server's clock leaps back it keeps notes that nobody knows any more. Their keys could not be used until it was where it had been.
func TestAKeyThatTheServerKeptTooLongCanBeUsed(t *testing.T) {
	s := open(t, Config{Memory: true})
	pinned, err := s.Pin(t.Context(), match.Note{Key: "seek.1", Text: []byte("first")})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Unpin(t.Context(), pinned); err != nil {
		t.Fatal(err)
	}
	s.notes.mu.Lock()
	delete(s.notes.notes, "seek.1") // too old
	s.notes.mu.Unlock()
	if _, err := s.Pin(t.Context(), match.Note{Key: "seek.1", Text: []byte("second")}); err != nil {
		t.Errorf("pinned again: %v", err)
	}
}
