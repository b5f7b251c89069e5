package bot

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
)

// A place in the queue may take a while to be given up. A bot that seeks again at once was told that it waits already.
func TestSeekingAgainAtOnce(t *testing.T) {
	inBubbleWith(t, manager.Config{Journal: journaltest.NewFaulty(3 * time.Second)}, func(b *harness) {
		c := b.enter(ann())
		c.says(`{"do":"seek"}`, `{"do":"cancel"}`, `{"do":"seek","variant":"tictactoe"}`)
		pass(time.Second)
		c.expects("seeking")
		pass(3 * time.Second)
		c.expects("cancelled", "seeking variant=tictactoe")
		c.says(`{"do":"seek"}`)
		c.expects("error code=already_seeking")
		_ = c.in.Close()
		pass(time.Second)
		c.ends(nil)
	})
}

// A seek waits for the board. Moves go on; every other line keeps its turn, and the end of the input waits for them.
func TestMovesDoNotWaitForTheBoard(t *testing.T) {
	j := journaltest.NewFaulty(2 * time.Second)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, second, id := b.pair("notakto/3")
		pass(3 * time.Second) // their places are gone
		move := func(m string) string { return `{"do":"move","match":"` + id + `","move":"` + m + `"}` }
		j.Stall(2 * time.Second)
		first.says(`{"do":"seek"}`, move("A5"), `{"do":"cancel"}`, `{"do":"seek","variant":"tictactoe","match":"`+id+
			`"}`, `{"do":"ping","n":1}`)
		first.expects("move ply=1 move=A5")
		second.expects("move ply=1")
		second.says(move("B5"))
		first.expects("move ply=2")
		second.expects("move ply=2")
		pass(2 * time.Second)
		first.says(move("C1")) // while the place is being given up
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
		second.leaves()
	})
}

// A line that waits for one before it is not overtaken by one about the same match, and a session holds a few such
// lines only.
func TestLinesThatWait(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		one, two, id := b.pair("notakto/3")
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
		again.leaves()
		one.leaves()
		two.leaves()
	})
}

// What cannot be recorded just now is told in the words of the journal; the session goes on, and so does the match
// afterwards.
func TestWhatCannotBeRecorded(t *testing.T) {
	full := fmt.Errorf("%w: the disk is full", match.ErrUnavailable)
	for _, test := range []struct {
		fault error
		words string
	}{
		{full, "nothing can be recorded just now: the disk is full"},
		{context.DeadlineExceeded, "ask for the state of the match"},
		{match.ErrDamaged, "the log of the match is damaged"},
		{match.ErrNewer, "written by a newer version"},
	} {
		j := journaltest.NewFaulty(0)
		inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
			first, second, id := b.pair("notakto/3")
			j.Fail(test.fault)
			move := `{"do":"move","match":"` + id + `","move":"A5"}`
			for _, line := range []string{
				move, `{"do":"resign","match":"` + id + `"}`, `{"do":"seek"}`, `{"do":"create"}`,
				`{"do":"computer","level":"club"}`,
			} {
				first.says(line)
				if got := first.expects("error code=internal")[0].str("message"); !strings.Contains(got, test.words) ||
					strings.Contains(got, id) {
					t.Errorf("%s is answered by %q", line, got)
				}
			}
			j.Fail(nil)
			first.says(move)
			first.expects("move")
			second.expects("move")
			first.leaves()
			second.leaves()
		})
	}
}

// Bots at a server that cannot record are told so once, and once that it is over.
func TestCutOffServerSaysSo(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, second, _ := b.pair("notakto/3")
		waiting := b.enter(guy())
		waiting.says(`{"do":"seek"}`)
		waiting.expects("seeking")
		j.Fail(match.ErrUnavailable)
		pass(10 * time.Second)
		for _, p := range []*peer{first, second, waiting} {
			if got := p.expects("notice")[0].str("message"); !strings.Contains(got, "nothing can be recorded") {
				t.Errorf("told %q", got)
			}
		}
		j.Fail(nil)
		pass(3 * time.Second)
		for _, p := range []*peer{first, second, waiting} {
			if got := p.expects("notice")[0].str("message"); !strings.Contains(got, "can record again") {
				t.Errorf("told %q", got)
			}
		}
		for _, p := range []*peer{first, second, waiting} {
			p.leaves()
		}
	})
}
