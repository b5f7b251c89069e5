package sshapp

import (
	"strings"
	"testing"
)

func TestAddressesKnowWhoIsHere(t *testing.T) {
	h := openHouse(t)
	here := func() string { return h.census.addresses.Of(identify(newKey(t, 1).PublicKey(), "", "").ID) }
	client := h.dial("alice", newKey(t, 1))
	first := newPerson(t, client, "xterm-256color", 80, 24)
	first.sees("Notakto")
	second := newPerson(t, client, "xterm-256color", 80, 24)
	second.sees("Notakto")
	_ = first.session.Close()
	eventually(t, "the first to go", func() bool { return h.inside() == 1 })
	if at := here(); at != "127.0.0.1/32" {
		t.Errorf("alice is at %q", at)
	}
	_ = client.Close()
	eventually(t, "the last to go", func() bool { return h.inside() == 0 })
	if at := here(); at != "" {
		t.Errorf("alice is still at %q", at)
	}
}

// A guest is somebody new at every login, and could try twenty more codes each time.
func TestLoggingInAnewGivesNoMoreWrongCodes(t *testing.T) {
	h := openHouse(t)
	told := ""
	for range 25 {
		client := h.dial("guest", nil)
		session, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		session.Stdin = strings.NewReader(`{"do":"join","code":"CCCC"}` + "\n")
		out, _ := session.Output("bot")
		told = string(out)
		_ = client.Close()
	}
	if !strings.Contains(told, "rate_limited") {
		t.Errorf("the 25th guest is told %s", told)
	}
}

// Whoever took a player's name could not be told from that player.
func TestTwoOfOneNameAreToldApartAtTheTable(t *testing.T) {
	h := openHouse(t)
	alice, double := h.sit("alice", newKey(t, 1)), h.sit("aIice", newKey(t, 2))
	alice.seeks()
	double.seeks()
	marked := string(markSign)
	alice.sees("(you)", marked)
	double.sees("(you)", marked)
}
