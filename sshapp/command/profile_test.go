package command_test

import (
	"strings"
	"testing"

	"notakto/sshapp/command"
)

func TestProfile(t *testing.T) {
	h := withHistory(t, "")
	h.Player.ID, _ = playersOf(t, h)
	at := func(words ...string) answer { return ask(command.Env{Server: h}, "", words...) }
	at("profile").expect(t, "profile", 0, "1 match: 1 won.\nWinning positions kept: ", "")
	_, other := playersOf(t, h)
	at("profile", string(other)).expect(t, "of the opponent", 0, "You against ", "")
	got := at("profile", "--json")
	want := `{"id":"` + string(h.Player.ID) +
		`","name":"ann","rating":null,"rank":null,"players":0,"pairs":{"won":0,"split":0,"lost":0},` +
		`"matches":1,"won":1,"kept":`
	if got.status != 0 || !strings.HasPrefix(got.out, want) {
		t.Errorf("profile --json prints %+v, want %s", got, want)
	}
}
