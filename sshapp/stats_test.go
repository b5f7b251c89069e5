package sshapp

import (
	"strings"
	"testing"

	"notakto/match/limit"
)

// What a server counts of its connections and sessions, and that it counts them out again.
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
	for _, want := range []string{
		"front_end=command command=version", "event=session-end player=", "front_end=command reason=quit status=0",
		"reason=quit status=2", " conn=1 session=1.1",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %q:\n%s", want, log)
		}
	}
	if s.Rejected.Get(limit.LoginFailed) != 0 {
		t.Error("a login failed")
	}
}
