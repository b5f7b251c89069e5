package sshapp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/limit"
)

func TestSessionsAreCounted(t *testing.T) {
	h := startServer(t)
	for _, command := range []string{"version", "bot", "xyzzy"} {
		_, _, _ = h.run(command)
	}
	s := h.Stats
	eventually(t, "the sessions to be counted out", func() bool {
		return s.Conns.Get(stageSession) == 0 && s.Sessions.PlayersWithKey.Load() == 0
	})
	command, bot := s.FrontEnds[frontEndCommand], s.FrontEnds[frontEndBot]
	handshakes, _, _ := s.Handshakes.Read()
	testkit.Equal(t, fmt.Sprintln(command.Started.Load(), command.Active.Load(), command.Ends.Get(endQuit),
		bot.Started.Load(), bot.Active.Load(), bot.Ends.Get(endQuit)+bot.Ends.Get(endClientGone),
		s.Accepted.Load(), handshakes, s.Logins.Get(LoginKey), s.Sessions.Guests.Load()),
		fmt.Sprintln(2, 0, 2, 1, 0, 1, 3, 3, 3, 0))
	if command.Out.Load() < 10 {
		t.Errorf("%d bytes were sent", command.Out.Load())
	}
	log := h.log.String()
	testkit.Contains(t, log, "front_end=command command=version", "event=session-end player=",
		"front_end=command reason=quit status=0", "reason=quit status=2", " conn=1 session=1.1")
	testkit.Equal(t, s.Rejected.Get(limit.LoginFailed), 0, "a login failed")
}

// Otherwise ten addresses write a thousand lines a second by commands that end at once.
func TestTheLogHasFewLinesOfOneAddress(t *testing.T) {
	const logged, more = 30, 20
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress, o.MaxLoginRate = logged, 1000 })
	began := time.Now()
	for range logged + more {
		_, _, _ = h.run("version")
	}
	lines := func(text string) int { return strings.Count(h.log.String(), text) }
	eventually(t, "the sessions to end", func() bool {
		return h.Stats.FrontEnds[frontEndCommand].Ends.Get(endQuit) == logged+more && lines("began") == lines("ended")
	})
	if n := lines("session began"); n < logged || n > logged+1+int(time.Since(began)/time.Second) {
		t.Errorf("%d of %d sessions have lines", n, logged+more)
	}
	eventually(t, "the log to name the number of sessions without lines", func() bool {
		_, _, _ = h.run("version")
		return lines(" more=") > 0
	})
}
