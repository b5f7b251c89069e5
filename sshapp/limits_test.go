package sshapp

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match/limit"

	gossh "golang.org/x/crypto/ssh"
)

func TestWithoutGuestsALoginNeedsAKey(t *testing.T) {
	h := startServer(t, func(o *options) { o.Guests = false })
	h.dial("alice", newKey(t, 1))
	guest := login("bob", nil)
	said := ""
	guest.BannerCallback = func(text string) error {
		said += text
		return nil
	}
	if client, err := gossh.Dial("tcp", h.address, guest); err == nil {
		_ = client.Close()
		t.Error("a guest is let in")
	}
	if want := "notakto: " + errNoGuests.Error() + "\n"; said != want {
		t.Errorf("the guest reads %q, want %q", said, want)
	}
	eventually(t, "the guest's connection to be gone", func() bool { return h.slots.Used() <= 2 })
}

// A limit could once be changed only by a restart, which drops every player.
func TestLimitsChangeWhileTheServerRuns(t *testing.T) {
	h := startServer(t)
	first := h.dial("alice", newKey(t, 1))
	set := func(change func(*limit.Settings)) {
		t.Helper()
		next := *h.settings.Load()
		change(&next)
		testkit.OK(t, h.SetLimits(next))
	}
	opened := func(client *gossh.Client) bool {
		session, err := client.NewSession()
		if err != nil {
			return false
		}
		out, err := session.CombinedOutput("version")
		_ = session.Close()
		return err == nil && strings.HasPrefix(string(out), "notakto ")
	}
	if !opened(first) {
		t.Fatal("no session before the change")
	}
	held, err := first.NewSession()
	testkit.OK(t, err)
	defer func() { _ = held.Close() }()
	if _, err := held.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	testkit.OK(t, held.Start("bot"))
	second := h.dial("bob", newKey(t, 2))
	set(func(s *limit.Settings) { s.MaxSessions = 1 })
	if opened(second) {
		t.Error("a second session is let in")
	}
	set(func(s *limit.Settings) { s.MaxSessions, s.MaxSessionsPerKey = 2, 1 })
	if opened(first) {
		t.Error("a second session of the player is let in")
	}
	eventually(t, "the second session to be let in", func() bool { return opened(second) })
	set(func(s *limit.Settings) { s.Guests, s.MaxLogins, s.MaxWaiting = false, 7, 3 })
	if client, err := gossh.Dial("tcp", h.address, login("carol", nil)); err == nil {
		_ = client.Close()
		t.Error("a guest is let in")
	}
	if err := h.SetLimits(limit.Settings{}); err == nil || !h.settings.Load().Guests &&
		h.settings.Load().MaxLogins != 7 {
		t.Errorf("settings that cannot work: %v, %+v", err, h.settings.Load())
	}
	h.dial("dave", newKey(t, 4))
}
