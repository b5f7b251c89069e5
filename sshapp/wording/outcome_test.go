package wording_test

import (
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/wording"
)

// The line stays in the shell after quitting, and is pasted there: x&reboot would have been run as two commands.
func TestASharedNameIsNoCommand(t *testing.T) {
	for name, want := range map[string]string{
		"x&reboot": `"x&reboot"`, "O'Neil": `"O'Neil"`, "O'Neil & co": `"O'Neil & co"`,
		"bob_2.0+ -x": "bob_2.0+ -x", "böb": "böb", "bob#k3dx": "bob#k3dx",
	} {
		state := journaltest.Fold(t,
			match.Event{Kind: match.Opened, Terms: match.DefaultTerms()},
			match.Event{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "aaaaaaaaaaaaaaaa", Name: "ann"}},
			match.Event{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "bbbbbbbbbbbbbbbb", Name: name}},
			match.Event{Kind: match.Resigned, Seat: rules.First})
		got := wording.ShareLine(&state, rules.First, nil, wording.NoHost, true)
		if !strings.Contains(got, " lost to "+want+" in 0 moves") {
			t.Errorf("%q, want %s", got, want)
		}
	}
}
