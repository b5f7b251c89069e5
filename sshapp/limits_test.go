package sshapp

import (
	"testing"

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

func TestLimitsThatCannotWorkChangeNothing(t *testing.T) {
	h := startServer(t)
	before := *h.settings.Load()
	if err := h.SetLimits(limit.Settings{}); err == nil || h.settings.Load().MaxLogins != before.MaxLogins {
		t.Errorf("%v, and the limits are %+v", err, h.settings.Load())
	}
}
