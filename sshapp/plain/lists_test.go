package plain

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
)

func TestHistory(t *testing.T) {
	j := journaltest.Archive(t, testkit.Store(t), map[match.ID]string{"c6zl3rq7s7": "notakto/3: A5 B5 C1"})
	record := j.History()
	events, err := j.Load(t.Context(), "c6zl3rq7s7", 0)
	testkit.OK(t, err)
	entries, err := record.List(t.Context(), events[1].Player.ID, 0, 1, true)
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	if got, want := finishedText(entries[0]), "beat bob, 3 boards, 3 moves, resigned, "+
		entries[0].Ended.UTC().Format("2006-01-02"); got != want {
		t.Errorf("it is told as %q, want %q", got, want)
	}
	inBubble(t, func(b *harness) {
		b.open(Config{Player: guy()}).skips().asked("history",
			"Guests keep no history. Run ssh-keygen once, then connect again.")
		b.come(ann()).asked("history", "This server keeps no history.")
		b.come(bob()).asked("ladder", "This server keeps no history.")
	})
}
