package command_test

import (
	"strings"
	"testing"

	"notakto/sshapp/command"
)

func TestProfile(t *testing.T) {
	s := withHistory(t, "")
	s.Player.ID, _ = playersOf(t, s)
	at := func(words ...string) answer { return ask(command.Env{Server: s}, "", words...) }
	at("profile").expect(t, "profile", 0, "1 match: 1 won.\nWinning positions kept: ", "")
	_, other := playersOf(t, s)
	at("profile", string(other)).expect(t, "of the opponent", 0, "You against ", "")
	got := at("profile", "--json")
	want := `{"id":"` + string(s.Player.ID) +
		`","name":"ann","rating":null,"rank":null,"players":0,"pairs":{"won":0,"split":0,"lost":0},` +
		`"matches":1,"won":1,"kept":`
	if got.status != 0 || !strings.HasPrefix(got.out, want) {
		t.Errorf("profile --json prints %+v, want %s", got, want)
	}
}
