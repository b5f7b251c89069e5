package sshapp

import (
	"strings"
	"testing"

	"notakto/sshapp/names"
)

// A name that was cut or refused was changed without a word.
func TestARenamedPlayerIsNotified(t *testing.T) {
	h := startServer(t)
	for user, want := range map[string]bool{
		"ann": false, "Ann-Sofie": false, "": false, "Cafe\u0301": false,
		"root": true, "you": true, "a\x1b[31mnn": true, "averyveryverylongname": true, " ann": true,
	} {
		if p := h.player(1, user); names.IsRenamed(p, user) != want {
			t.Errorf("%q is called %q: told: %v", user, p.Name, !want)
		}
	}
	h.sit("press q", newKey(t, 2)).sees("here. Log in as another user to change that.")
	for user, want := range map[string]bool{"ann": false, "averyveryverylongname": true} {
		session, err := h.dial(user, newKey(t, 1)).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		session.Stdin = strings.NewReader("quit\n")
		out, _ := session.CombinedOutput("plain")
		if shown := strings.Contains(string(out), "Log in as another user to change that."); shown != want {
			t.Errorf("%s hears %s", user, out)
		}
	}
}
