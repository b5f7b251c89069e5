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

// ssh -t HOST join was printed where the server's address is not known, and does not work.
func TestCommandsNameTheHostOrAreNone(t *testing.T) {
	for host, want := range map[string][2]string{
		"-p 2222 play.example": {
			"ssh -t -p 2222 play.example watch m", "Your way back: ssh -t -p 2222 play.example join K7QXK7QX",
		},
		wording.NoHost: {"", "Your way back: log in with the command join K7QXK7QX"},
	} {
		if got := [2]string{wording.GameCommand(host, "watch m"), wording.ResumeText(host, "K7QXK7QX")}; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSuggest(t *testing.T) {
	names := []string{"serve", "version", "help", "completion", "analyse", "watch", "bot", "cast"}
	for typed, want := range map[string]string{
		"serv": "serve", "SERVE": "serve", "vers": "version", "hlep": "help", "completon": "completion",
		"h": "help", "wotch": "watch",
		"serrve": "serve", "aanalise": "analyse", "boot": "bot", "bt": "bot", "": "",
		"nonsense": "", "history": "", "extra": "", "ls;": "", "bash": "", "csat": "cast",
		"xyz": "", strings.Repeat("serve", 1_000_000): "",
	} {
		if want != "" {
			want = "; did you mean --" + want + "?"
		}
		if got := wording.Suggest("--", typed, names); got != want {
			t.Errorf("for %.40q: %q, want %q", typed, got, want)
		}
	}
	if got := wording.Suggest("", "x", nil); got != "" {
		t.Errorf("without names: %q", got)
	}
}
