package sshapp

import (
	"testing"

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
