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
	"notakto/rules"
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
		asked := &slowConn{waits: []time.Duration{time.Minute, time.Second}}
		var r roundTrip
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			testkit.ErrorIs(t, r.ask(ctx, asked), context.DeadlineExceeded)
			cancel()
		}
		for _, want := range []time.Duration{time.Minute, time.Second} {
			testkit.OK(t, r.ask(t.Context(), asked))
			testkit.Equal(t, r.shortest(), want)
		}
		c := &connection{client: &gossh.ServerConn{Conn: &slowConn{waits: []time.Duration{9, 2, 3, 3, 4}}}}
		c.measureRoundTrip()
		testkit.Equal(t, c.roundTrip.shortest(), 0)
		<-time.After(time.Second)
		testkit.Equal(t, c.roundTrip.shortest(), 2)
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

// A frozen client once kept the seat of a guest, and the right code was refused for two minutes. A frozen session of
// the same key kept it, too, and a session in the lobby answered for the frozen one that held the seat.
func TestACodeTakesTheSeatOfAFrozenClient(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	sits := func(user string, key gossh.Signer, command string) (p *person, freeze func()) {
		conn := &deafConn{Conn: h.connect()}
		return newPersonAt(t, h.client(conn, login(user, key)), command), func() { conn.deaf.Store(true) }
	}
	gail, freeze := sits("gail", nil, "play")
	bob := h.sit("bob", newKey(t, 2))
	gail.sees("Waiting for an opponent")
	bob.seeks()
	gail.sees("return code")
	code := resumeCode(t, gail.screen())
	newPersonAt(t, h.dial("thief", nil), "join "+code).sees("That seat is in use")
	freeze()
	former := h.takesSeat("gail", nil, code)
	former.press("q")
	former.sees("Leave")
	former.press("y")
	bob.sees("away")
	kate, freeze := sits("kate", newKey(t, 3), "join "+code)
	kate.sees("(you)")
	bob.waits("the guest to be back", func() bool { return !strings.Contains(bob.terminal.String(), "away") })
	freeze()
	h.takesSeat("kate", newKey(t, 3), code)
	testkit.Equal(t, h.rejections.Counts.Get(limit.NoAnswer), 2, "a frozen client is not hung up on")
	testkit.Equal(t, len(former.ended), 0, "another client than the frozen one is hung up on")
}

// takesSeat takes the seat of a code from a client that has just frozen. Early tries may fail because an answer from
// before is still under way.
func (s *testServer) takesSeat(name string, key gossh.Signer, code string) *person {
	s.t.Helper()
	for range roundTripQuestions + 1 {
		p := newPersonAt(s.t, s.dial(name, key), "join "+code)
		p.waits("an answer to the code", func() bool {
			return strings.Contains(p.terminal.String(), "(you)") || strings.Contains(p.terminal.String(), "in use")
		})
		if strings.Contains(p.screen(), "(you)") {
			return p
		}
		_ = p.client.Close()
	}
	s.t.Fatal("the seat stays in use")
	return nil
}

// A player that had waited for the opponent longer than the limit was once disconnected after the opponent's move.
func TestWhoWaitsForTheOpponentIsNotIdle(t *testing.T) {
	besideOthers(t)
	const idle = 4 * time.Second
	h := startServer(t, func(o *options) { o.Idle = idle })
	friend, code := h.friend()
	alice := newPersonAt(t, h.dial("alice", newKey(t, 1)), "join "+code)
	if alice.sees("alice (you)", "turn"); strings.Contains(alice.screen(), "Your turn") {
		alice.places("A5")
	}
	<-time.After(2 * idle)
	if strings.Contains(alice.sent(), "Still there?") {
		t.Error("who waits for the opponent was warned")
	}
	testkit.OK(t, friend.Play(t.Context(), rules.Move{Cell: 1}))
	testkit.OK(t, alice.leaves())
	alice.sees("You were away")
	testkit.Contains(t, alice.lastScreen(), "Your turn", "Still there?")
}
