package wording_test

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/sshapp/wording"
)

// A command with the word HOST does not work.
func TestCommandsNameTheHostOrAreNone(t *testing.T) {
	for host, want := range map[string][2]string{
		"-p 2222 play.example": {
			"ssh -t -p 2222 play.example watch m", "To come back:\nssh -t -p 2222 play.example join K7QXK7QX",
		},
		wording.NoHost: {"", "To come back, log in with the command join K7QXK7QX"},
	} {
		testkit.Equal(t, [2]string{wording.GameCommand(host, "watch m"), wording.ResumeText(host, "K7QXK7QX")}, want)
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
		testkit.Equal(t, wording.Suggest("--", typed, names), want, typed)
	}
	testkit.Equal(t, wording.Suggest("", "x", nil), "")
}

func TestUntil(t *testing.T) {
	now := time.Date(2026, 11, 25, 14, 20, 0, 0, time.UTC) // a Wednesday
	for after, want := range map[time.Duration]string{
		0: "Wednesday 14:20 UTC", 96 * time.Hour: "Sunday 14:20 UTC", 168 * time.Hour: "Wednesday 2 December 14:20 UTC",
	} {
		testkit.Equal(t, wording.Until(now.Add(after), now), want)
	}
}
