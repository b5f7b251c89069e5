package sshapp

import (
	"testing"

	"notakto/match/account"
)

// What a player has chosen on the full screen is there again at the next login. A guest leaves nothing.
func TestPreferencesAreRemembered(t *testing.T) {
	h := startServer(t)
	visit := func(key byte, keys, sees string) {
		client := h.dial("guest", nil)
		if key != 0 {
			client = h.dial("alice", newKey(t, key))
		}
		p := newPerson(t, client, "xterm-256color", 80, 24)
		p.sees("Play someone")
		p.press(keys)
		p.sees(sees)
		p.press("\x03\x03")
		if err := p.leaves(); err != nil {
			t.Errorf("the screen ends with %v", err)
		}
	}
	id := h.player(1, "").ID
	visit(1, "t", "Colours: dark")
	if got := h.people.accounts.Info(id).Preferences; got != (account.Preferences{Theme: "dark"}) {
		t.Errorf("remembered: %+v", got)
	}
	visit(1, "tb", "Bell off")
	if got := h.people.accounts.Info(id).Preferences; got != (account.Preferences{Theme: "light", Bell: "off"}) {
		t.Errorf("remembered: %+v", got)
	}
	visit(0, "t", "Colours: dark")
	visit(0, "t", "Colours: dark")
}
