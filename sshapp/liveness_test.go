package sshapp

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match/limit"
)

// questions is a connection that counts the questions on it.
type questions struct {
	gossh.Conn
	times []time.Time
}

func (q *questions) SendRequest(string, bool, []byte) (bool, []byte, error) {
	q.times = append(q.times, time.Now())
	return false, nil, nil
}

// A thousand active players would otherwise cost sixteen questions a second with their answers.
func TestOnlyAClientThatIsStillIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, asked := time.Now(), &questions{}
		c := &connection{client: &gossh.ServerConn{Conn: asked}}
		c.keepAlive(time.Minute)
		for range 5 {
			<-time.After(50 * time.Second)
			c.countRead(1)
		}
		last := time.Since(begun)
		<-time.After(119 * time.Second)
		synctest.Wait()
		c.mu.Lock()
		c.questionTimer.Stop()
		c.mu.Unlock()
		if len(asked.times) != 1 || asked.times[0].Sub(begun) != last+time.Minute {
			t.Errorf("asked at %v, want one question a minute after the last key, at %v", asked.times,
				begun.Add(last+time.Minute))
		}
	})
}

// A question in vain once left a goroutine behind until the connection ended.
func TestAClientIsAskedOneQuestionAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r roundTrip
		asked := &slowConn{waits: []time.Duration{time.Minute, time.Second}}
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			testkit.ErrorIs(t, r.ask(ctx, asked), context.DeadlineExceeded)
			cancel()
		}
		if err := r.ask(t.Context(), asked); err != nil || r.shortest() != time.Minute {
			t.Errorf("%v, after %v", err, r.shortest())
		}
		if err := r.ask(t.Context(), asked); err != nil || r.shortest() != time.Second {
			t.Errorf("the next question: %v, after %v", err, r.shortest())
		}
	})
}

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
		testkit.Equal(t, r.shortest(), 0)
		<-time.After(3 * time.Second)
		testkit.Equal(t, r.shortest(), 200*time.Millisecond)
	})
}

type slowConn struct {
	gossh.Conn
	waits []time.Duration
}

func (s *slowConn) SendRequest(string, bool, []byte) (bool, []byte, error) {
	<-time.After(s.waits[0])
	s.waits = s.waits[1:]
	return false, nil, nil
}

// A frozen client once kept its guest's seat. The right code was refused for two minutes, and the guest lost.
func TestACodeTakesTheSeatOfAFrozenClient(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	conn := &deafConn{Conn: h.connect()}
	gail, bob := newPersonAt(t, h.client(conn, login("gail", nil)), "play"), h.sit("bob", newKey(t, 2))
	gail.sees("Waiting for an opponent")
	bob.seeks()
	gail.sees("return code")
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
	testkit.Equal(t, h.rejections.Counts.Get(limit.NoAnswer), 1, "the frozen client is not hung up on")
}

// A frozen session once kept the seat from a new session with its own key.
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
	testkit.Equal(t, h.rejections.Counts.Get(limit.NoAnswer), 1, "the frozen client is not hung up on")
}

// A session in the lobby once answered for the frozen client that held the seat.
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

// takesSeat takes the seat of a code from a client that has just frozen. Early tries may fail because an answer from
// before is still under way.
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

// leftSeat returns the code of a seat that its guest has left, and the opponent.
func leftSeat(t *testing.T, h *testServer) (code string, bob *person) {
	t.Helper()
	gail, bob := newPersonAt(t, h.dial("gail", nil), "play"), h.sit("bob", newKey(t, 2))
	gail.sees("Waiting for an opponent")
	bob.seeks()
	gail.sees("return code")
	code = resumeCode(t, gail.screen())
	_ = gail.client.Close()
	bob.sees("away")
	return code, bob
}
