package wording_test

import (
	"strings"
	"testing"

	"notakto/sshapp/wording"
)

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
