package player_test

import (
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/start"
)

// A friend, and a guest that comes back, can join by a code without a terminal.
func TestJoinWithoutATerminal(t *testing.T) {
	s := testServer(t)
	guest := match.Player{ID: "guest:g", Name: "gail", Guest: true}
	_, code, err := s.Manager.OpenPrivate(t.Context(), guest, match.DefaultTerms())
	testkit.OK(t, err)
	typed := strings.ToLower(string(code)) // the test types the code in two words
	got := ask(player.Env{Server: s}, "", "join", "#"+typed[:2], typed[2:]+".")
	got.expect(t, "join", 0, "gail", "")
	if matches := s.Manager.PlayerMatches("a"); len(matches) != 1 {
		t.Errorf("ann is seated at %v", matches)
	}
	other := &player.Server{Player: match.Player{ID: "b", Name: "bob"}, Manager: s.Manager}
	ask(player.Env{Server: other}, "", "join", string(code)).expect(t, "a full table", 1, "", "taken")
}

func TestOnATerminalTheGameBegins(t *testing.T) {
	three, err := rules.Notakto(3)
	testkit.OK(t, err)
	five, err := rules.Notakto(5)
	testkit.OK(t, err)
	blitz, err := match.Fischer(3, 2)
	testkit.OK(t, err)
	s := onScreen(testServer(t))
	id := play(t, s, three)
	for line, want := range map[string]start.Start{
		"play":                      {At: start.Queue},
		"play --boards 5":           {At: start.Queue, Terms: match.Terms{Variant: five}},
		"play --boards 5 --private": {At: start.Private, Terms: match.Terms{Variant: five}},
		"play --clock 3+2":          {At: start.Queue, Terms: match.Terms{Clock: blitz}},
		"play --clock none":         {At: start.Queue, Untimed: true},
		"play --computer PERFECT":   {At: start.Computer, Level: strategy.Perfect},
		"join k7qx":                 {At: start.Code, Code: "k7qx"},
		"join k7 qx":                {At: start.Code, Code: "k7qx"},
		"play –boards=5 —private":   {At: start.Private, Terms: match.Terms{Variant: five}},
		"watch":                     {At: start.Match},
		"watch " + string(id):       {At: start.Match, Match: id},
	} {
		got := ask(player.Env{Server: s}, "", strings.Fields(line)...)
		got.expect(t, line, 0, "", "")
		if got.next == nil || *got.next != (player.FrontEnd{Kind: player.Screen, Player: s.Player, Start: want}) {
			t.Errorf("%s starts %+v, want %+v", line, got.next, want)
		}
	}
	nowhere := ask(player.Env{Server: s}, "", "watch", "nowhere")
	if nowhere.expect(t, "watch nowhere", 1, "", "no match"); nowhere.next != nil {
		t.Errorf("%+v was started", nowhere.next)
	}
	byLines := ask(player.Env{Server: s}, "", "plain")
	if byLines.expect(t, "plain", 0, "line by line", ""); byLines.next == nil || byLines.next.Kind != player.Plain {
		t.Errorf("%+v was started", byLines.next)
	}
}

func TestPlayRated(t *testing.T) {
	s := onScreen(testServer(t))
	at := func(s *player.Server, line string) answer {
		return ask(player.Env{Server: s}, "", strings.Fields(line)...)
	}
	got := at(s, "play --rated")
	got.expect(t, "play --rated", 0, "", "")
	want := []match.Terms{match.RatedTerms(match.PeoplePool)}
	if got.next == nil || got.next.Kind != player.Screen || !slices.Equal(got.next.Start.Accepts(), want) {
		t.Errorf("it starts %+v", got.next)
	}
	for _, more := range []string{"--boards 3", "--clock 3+2", "--clock none", "--computer club", "--private"} {
		at(s, "play --rated "+more).expect(t, more, cli.ExitUsage, "", "leave")
	}
	guest := *s
	guest.Player = match.Player{ID: "guest:g", Name: "gail", Guest: true}
	at(&guest, "play --rated").expect(t, "a guest", cli.ExitFailure, "", "guests cannot")
}
