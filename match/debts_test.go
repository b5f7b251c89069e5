package match

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"notakto/rules"
)

// Somebody who tried one code after the other sat at a stranger's table after seconds.
func TestWrongCodesAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(Config{Seed: 1})
		defer m.Close()
		_, code, err := m.OpenPrivate(t.Context(), Player{ID: "ann", Name: "ann"}, rules.DefaultVariant())
		if err != nil {
			t.Fatal(err)
		}
		try := func(p PlayerID, c Code) error {
			_, _, err := m.Join(t.Context(), Player{ID: p, Name: "x"}, c)
			return err
		}
		for range freeGuesses {
			if err := try("mallory", "0000"); !errors.Is(err, ErrNoSuchTable) {
				t.Fatalf("got %v", err)
			}
		}
		for _, c := range []Code{"0000", code} {
			if err := try("mallory", c); !errors.Is(err, ErrGuessing) {
				t.Fatalf("got %v", err)
			}
		}
		time.Sleep(guessPause) //nolint:forbidigo // the bubble's clock
		if err := try("mallory", "0000"); !errors.Is(err, ErrNoSuchTable) {
			t.Fatalf("after a pause: %v", err)
		}
		if err := try("mallory", code); !errors.Is(err, ErrGuessing) {
			t.Fatalf("got %v", err)
		}
		if err := try("bob", code); err != nil {
			t.Errorf("someone else: %v", err)
		}
	})
}
