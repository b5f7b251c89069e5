package sshapp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/match/limit"
)

// questions is a connection that counts what is asked on it.
type questions struct {
	gossh.Conn
	times []time.Time
}

func (q *questions) SendRequest(string, bool, []byte) (bool, []byte, error) {
	q.times = append(q.times, time.Now())
	return false, nil, nil
}

// A thousand people who play would be asked for nothing whether they are there: sixteen questions a second, each with
// an answer.
func TestOnlyAClientThatIsStillIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, asked := time.Now(), &questions{}
		c := &connection{client: &gossh.ServerConn{Conn: asked}}
		c.keepAlive(time.Minute)
		for range 5 {
			<-time.After(50 * time.Second)
			c.noteRead(1)
		}
		last := time.Since(begun)
		<-time.After(119 * time.Second)
		synctest.Wait()
		c.mu.Lock()
		c.question.Stop()
		c.mu.Unlock()
		if len(asked.times) != 1 || asked.times[0].Sub(begun) != last+time.Minute {
			t.Errorf("asked at %v, want one question a minute after the last key, at %v", asked.times,
				begun.Add(last+time.Minute))
		}
	})
}

// Each who asked in vain left a goroutine behind until the connection ended.
func TestAClientIsAskedOneQuestionAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r roundTrip
		asked := &slowConn{waits: []time.Duration{time.Minute, time.Second}}
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if err := r.ask(ctx, asked); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("without an answer: %v", err)
			}
			cancel()
		}
		if err := r.ask(t.Context(), asked); err != nil || r.least() != time.Minute {
			t.Errorf("%v, after %v", err, r.least())
		}
		if err := r.ask(t.Context(), asked); err != nil || r.least() != time.Second {
			t.Errorf("the next question: %v, after %v", err, r.least())
		}
	})
}

// How long the way to the client and back takes is known soon after its screen has come up.
func TestTheRoundTripIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &connection{client: &gossh.ServerConn{Conn: &slowConn{
			waits: []time.Duration{
				900 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond, 300 * time.Millisecond,
				400 * time.Millisecond,
			},
		}}}
		r := &c.roundTrip
		c.measureRoundTrip()
		if got := r.least(); got != 0 {
			t.Errorf("%v before the answer", got)
		}
		<-time.After(3 * time.Second)
		if got := r.least(); got != 200*time.Millisecond {
			t.Errorf("%v", got)
		}
	})
}

// slowConn answers after a while.
type slowConn struct {
	gossh.Conn
	waits []time.Duration
}

func (s *slowConn) SendRequest(string, bool, []byte) (bool, []byte, error) {
	<-time.After(s.waits[0])
	s.waits = s.waits[1:]
	return false, nil, nil
}

// While a guest's client was frozen, the right code was refused for two minutes, in which the guest lost.
func TestACodeTakesTheSeatOfAFrozenClient(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	conn := &deafConn{Conn: h.connect()}
	gail, bob := newPersonAt(t, h.client(conn, login("gail", nil)), "play"), h.sit("bob", newKey(t, 2))
	gail.sees("Waiting for an opponent")
	bob.seeks()
	gail.sees("your way back")
	code := resumeCode(t, gail.screen())

	thief := newPersonAt(t, h.dial("thief", nil), "join "+code)
	thief.sees("That seat is in use")
	conn.deaf.Store(true)
	again := newPersonAt(t, h.dial("gail", nil), "join "+code)
	again.sees("gail (you)")
	bob.waits("gail to be back", func() bool {
		screen := bob.terminal.String()
		return strings.Contains(screen, "gail") && !strings.Contains(screen, "away")
	})
	if h.rejections.Counts.Get(limit.NoAnswer) != 1 {
		t.Error("the frozen client is not hung up on")
	}
}

// The seat was in use for its own guest, while a frozen session of the same key had it.
func TestACodeTakesTheSeatOfAFrozenSessionOfOnesOwn(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	code, bob := leftSeat(t, h)
	conn := &deafConn{Conn: h.connect()}
	frozen := newPersonAt(t, h.client(conn, login("kate", newKey(t, 3))), "join "+code)
	frozen.sees("(you)")
	bob.waits("the guest to be back", func() bool { return !strings.Contains(bob.terminal.String(), "away") })
	conn.deaf.Store(true)
	h.takesSeat("kate", newKey(t, 3), code)
	if h.rejections.Counts.Get(limit.NoAnswer) != 1 {
		t.Error("the frozen client is not hung up on")
	}
}

// One who had left the seat for the lobby answered for the frozen client that had it.
func TestOnlyWhoHoldsASeatAnswersForIt(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	code, bob := leftSeat(t, h)
	former := newPersonAt(t, h.dial("former", nil), "join "+code)
	former.sees("(you)")
	former.press("q")
	former.sees("Leave")
	former.press("y")
	bob.sees("away")
	conn := &deafConn{Conn: h.connect()}
	frozen := newPersonAt(t, h.client(conn, login("gail", nil)), "join "+code)
	frozen.sees("(you)")
	conn.deaf.Store(true)
	h.takesSeat("gail", nil, code)
	if h.rejections.Counts.Get(limit.NoAnswer) != 1 || len(former.ended) > 0 {
		t.Error("another client than the frozen one is hung up on")
	}
}

// takesSeat takes the seat of a code from a client that has just frozen. The first tries may meet an answer that was on
// its way: the server measures the round trip of a client that has just begun.
func (s *testServer) takesSeat(name string, key gossh.Signer, code string) {
	s.t.Helper()
	for range roundTripQuestions + 1 {
		p := newPersonAt(s.t, s.dial(name, key), "join "+code)
		p.waits("an answer to the code", func() bool {
			return strings.Contains(p.terminal.String(), "(you)") || strings.Contains(p.terminal.String(), "in use")
		})
		if strings.Contains(p.terminal.String(), "(you)") {
			return
		}
		_ = p.client.Close()
	}
	s.t.Error("the seat stays in use")
}

// leftSeat returns the code of a guest's seat whose guest has gone, and the opponent.
func leftSeat(t *testing.T, h *testServer) (code string, bob *person) {
	t.Helper()
	gail, bob := newPersonAt(t, h.dial("gail", nil), "play"), h.sit("bob", newKey(t, 2))
	gail.sees("Waiting for an opponent")
	bob.seeks()
	gail.sees("your way back")
	code = resumeCode(t, gail.screen())
	_ = gail.client.Close()
	bob.sees("away")
	return code, bob
}
