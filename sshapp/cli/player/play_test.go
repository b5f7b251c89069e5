package player_test

import (
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
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
	says(s, "join #"+typed[:2]+" "+typed[2:]+".").prints(t, "gail")
	if matches := s.Manager.PlayerMatches("a"); len(matches) != 1 {
		t.Errorf("ann is seated at %v", matches)
	}
	other := &player.Server{Player: match.Player{ID: "b", Name: "bob"}, Manager: s.Manager}
	says(other, "join "+string(code)).fails(t, 1, "taken")
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
		"daily":                     {At: start.Daily},
		"daily 7":                   {At: start.Daily, Day: 7},
		"rush":                      {At: start.Rush},
		"slips":                     {At: start.Slips},
	} {
		got := says(s, line)
		got.prints(t, "")
		if got.next == nil || *got.next != (player.FrontEnd{Kind: player.Screen, Player: s.Player, Start: want}) {
			t.Errorf("%s starts %+v, want %+v", line, got.next, want)
		}
	}
	byLines := says(s, "plain")
	if byLines.prints(t, "line by line"); byLines.next == nil || byLines.next.Kind != player.Plain {
		t.Errorf("%+v was started", byLines.next)
	}
	rated := says(s, "play --rated").next
	want := []match.Terms{match.RatedTerms(match.PeoplePool)}
	if rated == nil || rated.Kind != player.Screen || !slices.Equal(rated.Start.Accepts(), want) {
		t.Errorf("it starts %+v", rated)
	}
	for _, more := range []string{"--boards 3", "--clock 3+2", "--clock none", "--computer club", "--private"} {
		says(s, "play --rated "+more).fails(t, 2, "leave")
	}
}
