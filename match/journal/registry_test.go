package journal

import (
	"errors"
	"testing"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// A follower that was behind delivers only the newest entry of a key. A put that was overwritten since then succeeded
// all the same.
func TestPutThoughReplacedAtOnce(t *testing.T) {
	other := open(t, natsd.Config{Memory: true})
	behind := newRegistry(other.node, newClock())
	behind.publisher = other.registry.publisher
	type result struct {
		note match.Entry
		err  error
	}
	done := make(chan result)
	go func() {
		n, err := behind.put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("first")})
		done <- result{n, err}
	}()
	eventually(t, "the note stands", func() bool { return string(other.registry.entry("seek.1").Text) == "first" })
	first := other.registry.entry("seek.1")
	second, err := other.Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("second"), Revision: first.Revision})
	if err != nil {
		t.Fatal(err)
	}
	behind.deliver(message{
		subject: natsd.RegistrySubject + second.Key, seq: second.Revision, at: second.At, body: second.Text,
	})
	if r := <-done; r.err != nil || r.note.Revision != first.Revision || string(r.note.Text) != "first" {
		t.Errorf("pinned as %+v, %v", r.note, r.err)
	}
	if _, err := behind.put(t.Context(), first); !errors.Is(err, match.ErrConflict) {
		t.Errorf("pinned in the place of one that is no more: %v", err)
	}
}
