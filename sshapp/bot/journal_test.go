package bot

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
)

// A seek waits for the lobby. Moves go on. Other lines and the end of the input keep their turn. A bot that gave up its
// place and sought again at once used to be told that it waits already.
func TestMovesDoNotWaitForTheBoard(t *testing.T) {
	j := journaltest.NewFaulty(2 * time.Second)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, second, id := b.pair("notakto/3")
		pass(3 * time.Second) // the places are gone
		j.Stall(2 * time.Second)
		first.says(`{"do":"seek"}`, move(id, "A5"), `{"do":"cancel"}`,
			`{"do":"seek","variant":"tictactoe","match":"`+id+`"}`, `{"do":"ping","n":1}`)
		first.expects("move ply=1 move=A5")
		second.expects("move ply=1")
		second.says(move(id, "B5"))
		first.expects("move ply=2")
		second.expects("move ply=2")
		pass(2 * time.Second)
		first.says(move(id, "C1")) // before the place is gone
		first.expects("seeking variant=notakto/3", "move ply=3")
		second.expects("move ply=3")
		pass(2 * time.Second)
		first.expects("cancelled")
		_ = first.in.Close()
		pass(2 * time.Second)
		first.expects("seeking variant=tictactoe", "pong n=1")
		pass(time.Second)
		first.ends(nil)
		second.expects("presence present=false")
	})
}

// A waiting line is not overtaken by a line about the same match. A session holds only a few waiting lines.
func TestLinesThatWait(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		_, _, id := b.pair("notakto/3")
		j.Stall(2 * time.Second)
		again := b.connect(ann())
		again.expects(`welcome matches=["` + id + `"]`)
		again.says(`{"do":"seek"}`, `{"do":"state","match":"`+id+`"}`, `{"do":"resign","match":"`+id+`"}`)
		again.expects()
		for range maxWaiting - 2 {
			again.says(`{"do":"ping"}`)
		}
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			for range 3 {
				_, _ = again.in.Write([]byte(`{"do":"ping","n":9}` + "\n"))
			}
		}()
		pass(time.Second)
		select {
		case <-sent:
			t.Error("the session reads on and on")
		default:
		}
		pass(2 * time.Second)
		<-sent
		want := []string{"seeking", "match match=" + id, "end reason=resign"}
		for range maxWaiting + 1 {
			want = append(want, "pong")
		}
		again.expects(want...)
	})
}

// The bot receives the journal's error, and a notice of the begin and one of the end of an outage. The session and the
// match continue.
func TestWhatCannotBeRecorded(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, second, id := b.pair("notakto/3")
		waiting := b.enter(guy())
		waiting.asked(`{"do":"seek","variant":"tictactoe"}`, "seeking")
		for _, test := range []struct {
			fault error
			words string
		}{
			{match.ErrDamaged, "the log of the match is damaged"},
			{match.ErrNewer, "a newer version of the server wrote the match"},
			{context.DeadlineExceeded, "ask for the state of the match"},
			{fmt.Errorf("%w: the disk is full", match.ErrUnavailable),
				"the server cannot save moves now: the disk is full"},
		} {
			j.Fail(test.fault)
			for _, line := range []string{
				move(id, "A5"), about(id, "resign"), `{"do":"seek"}`, `{"do":"create"}`,
				`{"do":"computer","level":"club"}`,
			} {
				message := first.asked(line, "error code=internal")[0].str("message")
				testkit.Contains(t, message, test.words)
				if strings.Contains(message, id) {
					t.Errorf("%s is answered by %q", line, message)
				}
			}
		}
		pass(10 * time.Second)
		for _, p := range []*peer{second, waiting} {
			p.expects("notice")[0].tells(t, "cannot save moves")
		}
		j.Fail(nil)
		pass(3 * time.Second)
		for _, p := range []*peer{second, waiting} {
			p.expects("notice")[0].tells(t, "can save moves again")
		}
		first.asked(move(id, "A5"), "notice", "notice", "move")
		second.expects("move")
	})
}
