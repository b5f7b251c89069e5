package sshapp

import (
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match/account"
	"notakto/match/limit"
	"notakto/sshapp/names"
)

// The server forgets the preferences of a guest.
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
	visit(1, "t!", "Alerts off")
	testkit.Equal(t, h.accounts.Info(id).Preferences, account.Preferences{Theme: "light", Bell: "off"})
	visit(0, "t", "Colours: dark")
	visit(0, "t", "Colours: dark")
}

// A player who sets NO_COLOR to any text is sent no color (no-color.org). Without it, the screens have colors.
func TestNoColorIsObeyed(t *testing.T) {
	color := regexp.MustCompile(`\x1b\[([0-9;:]*[;:])?(3[0-8]|4[0-8]|9[0-7]|10[0-7])([;:][0-9;:]*)?m`)
	h := startServer(t)
	for value, isColored := range map[string]bool{"": true, "1": false, "yes": false, "0": false} {
		p := begin(t, h.dial("ann", newKey(t, 1)), "xterm-256color", 80, 24, "play --computer novice",
			[2]string{"NO_COLOR", value})
		p.sees("Your turn")
		testkit.Equal(t, color.MatchString(p.sent()), isColored, "NO_COLOR="+value)
	}
}

// A name was once cut or refused without a notice.
func TestARenamedPlayerIsNotified(t *testing.T) {
	h := startServer(t, func(o *options) { o.publicAddress = "HOST" })
	for user, want := range map[string]bool{
		"ann": false, "ann@corp.com": false, `CORP\ann`: false, "Ann-Sofie": false, "": false, "Cafe\u0301": false,
		"root": true, "you": true, "a\x1b[31mnn": true, "averyveryverylongname": true, " ann": true,
	} {
		if p := h.player(1, user); names.IsRenamed(p, names.LoginName(user)) != want {
			t.Errorf("%q is called %q: told: %v", user, p.Name, !want)
		}
	}
	h.sit("press q", newKey(t, 2)).sees("To pick a name, log in under it.")
	for user, want := range map[string]bool{"ann": false, "averyveryverylongname": true} {
		out, _, _ := runOn(t, h.dial(user, newKey(t, 1)), "plain", "quit\n")
		testkit.Equal(t, strings.Contains(out, "Log in as another user to change that."), want, user, out)
	}
}

func TestAScreenAndAReviewTakeATurn(t *testing.T) {
	h := startServer(t, func(o *options) { o.spoil = func(s *Server) { s.turns = limit.NewTurns(0) } })
	alice := h.sit("alice", newKey(t, 1))
	eventually(t, "the screen to wait for a turn", func() bool { return h.turns.WaitingNetworks() == 1 })
	h.turns.GiveBack()
	alice.sees("Play someone")
	h.turns.Take(netip.Prefix{}) // alice's screen has given it back
	bob := newTalk(t, h.dial("bob", newKey(t, 2)), "plain")
	bob.types("review")
	eventually(t, "the review to wait for a turn", func() bool { return h.turns.WaitingNetworks() == 1 })
	h.turns.GiveBack()
	for !strings.HasPrefix(bob.expects(), "There is nothing to review") {
	}
}
