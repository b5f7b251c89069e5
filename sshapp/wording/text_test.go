package wording_test

import (
	"strings"
	"testing"

	"notakto/sshapp/wording"
)

// ssh -t HOST join was printed where the server's address is not known, and does not work.
func TestCommandsNameTheHostOrAreNone(t *testing.T) {
	for host, want := range map[string][2]string{
		"-p 2222 play.example": {
			"ssh -t -p 2222 play.example watch m", "Your way back:\nssh -t -p 2222 play.example join K7QXK7QX",
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
