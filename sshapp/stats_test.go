package sshapp

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/limit"
)

func TestSessionsAreCounted(t *testing.T) {
	h := startServer(t)
	h.runs("version")
	h.runsWith("bot", "{}\n")
	h.runs("xyzzy")
	s := h.Stats
	eventually(t, "the sessions to be counted out", func() bool {
		return s.Conns.Get(stageSession) == 0 && s.Sessions.PlayersWithKey.Load() == 0
	})
	command, bot := s.FrontEnds[frontEndCommand], s.FrontEnds[frontEndBot]
	if command.Started.Load() != 2 || bot.Started.Load() != 1 || command.Active.Load() != 0 || bot.Active.Load() != 0 {
		t.Errorf("%d and %d begun, %d and %d left", command.Started.Load(), bot.Started.Load(), command.Active.Load(),
			bot.Active.Load())
	}
	if command.Ends.Get(endQuit) != 2 || bot.Ends.Get(endQuit)+bot.Ends.Get(endClientGone) != 1 {
		t.Error("they have not ended as they did")
	}
	if command.Out.Load() < 10 || s.Accepted.Load() != 3 ||
		s.Sessions.PlayersWithKey.Load()+s.Sessions.Guests.Load() != 0 {
		t.Errorf("%d bytes were sent on %d connections, and %d players are left", command.Out.Load(), s.Accepted.Load(),
			s.Sessions.PlayersWithKey.Load())
	}
	if count, _, _ := s.Handshakes.Read(); count != 3 || s.Logins.Get(LoginKey)+s.Logins.Get(LoginGuest) != 3 {
		t.Errorf("%d handshakes", count)
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
		h.runs("version")
	}
	lines := func(text string) int { return strings.Count(h.log.String(), text) }
	eventually(t, "the sessions to end", func() bool {
		return h.Stats.FrontEnds[frontEndCommand].Ends.Get(endQuit) == logged+more && lines("began") == lines("ended")
	})
	if n := lines("session began"); n < logged || n > logged+1+int(time.Since(began)/time.Second) {
		t.Errorf("%d of %d sessions have lines", n, logged+more)
	}
	eventually(t, "the log to name the number of sessions without lines", func() bool {
		h.runs("version")
		return lines(" more=") > 0
	})
}
