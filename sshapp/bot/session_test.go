package bot

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/logbuffer"
	"notakto/internal/testkit"
	"notakto/sshapp/idle"
)

const ping, pong = `{"do":"ping","n":1}`, "pong n=1"

// A silent bot used to keep its session and its place in the queue until its connection ended. A bot with a table
// without an opponent was kept as well, even if it let another opponent wait.
func TestABotThatSaysNothingIsWarnedAndSentHome(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.limits = Limits{Idle: 10 * time.Minute}
		first, second, _ := b.pair("notakto/1")
		first.asked(`{"do":"create"}`, "table")
		c := b.enter(cleo())
		c.asked(`{"do":"seek"}`, "seeking")
		pass(8 * time.Minute)
		c.asked("nonsense", "error code=bad_json") // any line is activity
		pass(2 * time.Minute)
		first.expects("notice", "notice")
		first.ends(idle.ErrIdle)
		second.expects("presence present=false")
		second.leaves()
		pass(7*time.Minute - time.Second)
		c.expects()
		pass(time.Second)
		c.expects("notice")[0].tells(t, "still there? send any line, such as a ping, to stay; if not, goodbye in 1m0s")
		c.asked(ping, pong)
		pass(10 * time.Minute)
		c.expects("notice", "notice")[1].tells(t, idle.ErrIdle.Error()+"; "+queueClosed)
		c.ends(idle.ErrIdle)
		testkit.Equal(t, b.manager.Lobby().Waiting("").Count, 0)
	})
}

// A bot can only wait during the opponent's turn. When its own turn comes, it has time to think or at least a
// warning.
func TestABotThatAwaitsItsOpponentIsNotIdle(t *testing.T) {
	inBubble(t, func(b *harness) {
		b.limits = Limits{Idle: 10 * time.Minute}
		first, second, id := b.pair("notakto/1")
		for range 4 {
			pass(5 * time.Minute)
			first.asked(ping, pong)
		}
		second.expects()
		first.asked(move(id, "A5"), "move ply=1")
		second.expects("move ply=1")
		pass(10*time.Minute - time.Second)
		second.expects("notice")
		first.expects()
		pass(time.Second)
		first.expects("presence present=false")
		second.expects("notice")[0].tells(t, "your match is kept")
		second.ends(idle.ErrIdle)
	})
}

func TestTwentyBadLinesInARowEndASession(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(ann())
		bad := []string{
			"nonsense", `{"do":"fly"}`, `{"do":"seek","variant":"go"}`, strings.Repeat("x", 5000), `{"do":"computer"}`,
		}
		for range 2 {
			for i := range 19 {
				c.says(bad[i%len(bad)])
				c.received()[0].is(t, "error")
			}
			c.asked(about("none", "state"), "error code=no_such_match") // refused, but not a bad line
		}
		for range 19 {
			c.asked("nonsense", "error code=bad_json")
		}
		c.asked("nonsense", "error code=bad_json", "notice")
		c.ends(ErrBadLines)
	})
}

// A bot that does not read holds up no other player. Its session ends after a while and leaves no goroutine.
func TestABotThatDoesNotReadIsDropped(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/9")
		in, lines := io.Pipe()
		unread, out := io.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- Serve(b.Context(), Config{Player: cleo(), Manager: b.manager, In: in, Out: out})
			_ = in.Close()
			_ = out.Close()
		}()
		flood := make(chan struct{})
		go func() {
			defer close(flood)
			for {
				if _, err := io.WriteString(lines, about(id, "watch")+"\n"); err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		for i := range 20 {
			bots := [2]*peer{first, second}
			bots[i%2].says(move(id, "ABCDEFGHI"[i%9:i%9+1]+"159"[i/9:i/9+1]))
			for _, c := range bots {
				c.expects("move")
			}
		}
		pass(11 * time.Second)
		select {
		case err := <-done:
			testkit.ErrorIs(t, err, ErrSlow)
		default:
			t.Error("the session goes on")
		}
		<-flood
		_ = unread.Close()
	})
}

// All requests before the end of the input are done and answered.
func TestTheEndOfTheInput(t *testing.T) {
	inBubble(t, func(b *harness) {
		var out logbuffer.Text
		in := strings.NewReader(`{"do":"computer","level":"random","seat":1}` + "\n" + `{"do":"seek"}` + "\n" +
			`{"do":"ping","n":3}`)
		if err := Serve(b.Context(), Config{Player: ann(), Manager: b.manager, In: in, Out: &out}); err != nil {
			t.Error(err)
		}
		if got := out.Take(); strings.Count(got, "\n") != 4 || !strings.HasSuffix(got, `{"event":"pong","n":3}`+"\n") {
			t.Errorf("heard %s", got)
		}
		synctest.Wait()
		testkit.Equal(t, b.manager.Lobby().Waiting("").Count, 0)
	})
}

// At a stop a bot receives the reason, and what becomes of its matches and its place in the queue. A bot whose
// client has gone receives no event.
func TestAStopIsSent(t *testing.T) {
	noon := errors.New("back at noon")
	const kept, closed = ": your match is kept as it stands, and is in the next welcome", "; " + queueClosed
	inBubble(t, func(b *harness) {
		lobby, queue, both := b.enter(ann()), b.enter(bob()), b.enter(cleo())
		queue.asked(`{"do":"seek","variant":"notakto/1"}`, "seeking")
		both.says(`{"do":"computer","level":"club"}`, `{"do":"seek"}`)
		both.expects("match", "seeking")
		drained := b.enter(guy())
		drained.asked(`{"do":"seek","variant":"notakto/2"}`, "seeking")
		for c, want := range map[*peer]string{lobby: "", queue: closed, both: kept + closed} {
			c.stop(noon)
			events := c.received()
			if got := events[len(events)-1]; got.str("event") != "notice" || got.str("message") != noon.Error()+want {
				t.Errorf("the last event is %s", got)
			}
			c.ends(noon)
		}
		b.manager.Drain()
		drained.expects("notice", "cancelled")
		for _, line := range []string{`{"do":"seek"}`, `{"do":"create"}`, `{"do":"computer","level":"club"}`} {
			drained.asked(line, "error code=draining")
		}
		gone := b.enter(bob())
		gone.stop(nil)
		gone.expects()
		gone.ends(context.Canceled)
	})
}

func TestAFaultEndsOneSession(t *testing.T) {
	inBubble(t, func(b *harness) {
		c := b.enter(ann())
		in, _ := io.Pipe()
		var out logbuffer.Text
		err := Serve(b.Context(), Config{Player: bob(), In: in, Out: &out}) // a nil Manager causes a panic
		if !errors.Is(err, ErrInternal) || !strings.Contains(out.Take(), "internal") {
			t.Errorf("the session ended with %v", err)
		}
		err = Serve(b.Context(), Config{Player: bob(), Manager: b.manager, In: panics{}, Out: panics{}})
		testkit.ErrorIs(t, err, ErrInternal)
		_ = in.Close()
		c.asked(ping, pong)
	})
}

type panics struct{}

func (panics) Read([]byte) (int, error)  { panic("read") }
func (panics) Write([]byte) (int, error) { panic("write") }
