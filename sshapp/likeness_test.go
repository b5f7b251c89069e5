package sshapp

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"notakto/match"
)

func TestNamesThatLookAlike(t *testing.T) {
	for _, names := range [][2]string{
		{"alice", "Alice"}, {"alice", "aIice"}, {"alice", "alıce"}, {"alice", "a1ice"}, {"alice", "аӏісе"}, {"alice", "álice"},
		{"bob", "b0b"}, {"mark", "rnark"}, {"anna b", "annab"}, {"paul", "раυӏ"}, {"wu", "vvu"}, {"ТОМ", "TOM"}, {"ΝΙΚΗ", "NIKH"},
	} {
		if skeleton(names[0]) != skeleton(names[1]) {
			t.Errorf("%q is not taken for %q: %q, %q", names[1], names[0], skeleton(names[1]), skeleton(names[0]))
		}
	}
	for _, names := range [][2]string{{"alice", "alina"}, {"bob", "rob"}, {"漢", "字"}, {"ann", "anna"}, {"player1", "flayer1"}} {
		if skeleton(names[0]) == skeleton(names[1]) {
			t.Errorf("%q is taken for %q", names[1], names[0])
		}
	}
}

func TestTheServersOwnWordsAreNoNames(t *testing.T) {
	for _, name := range []string{
		"perfect", "Perfect", "Your turn", ">> You won", "▸ yOuR tum", "ΥΟυ", "club", "student", "randorn", "centre", "You", "(you)", "y0u", "computer", "The Computer",
		"guest", "guest-12ab", "player-3f2a", "Server", "nobody", "opponent",
	} {
		if got := nameOr(name, "fallback"); got != "fallback" {
			t.Errorf("%q may be called %q", name, got)
		}
	}
	for _, name := range []string{"perfecta", "clubber", "your", "young gun", "yousef", "player1", "root", "guesthouse"} {
		if got := nameOr(name, "fallback"); got != name {
			t.Errorf("%q is called %q", name, got)
		}
	}
}

func TestTellApart(t *testing.T) {
	alice := match.Player{ID: "SHA256:+Xk/3dQ9x", Name: "alice"}
	for _, test := range []struct {
		other match.Player
		want  string
	}{
		{match.Player{ID: "SHA256:b", Name: "bob"}, "alice"},
		{match.Player{ID: "SHA256:b", Name: "ALICE"}, "alice#Xk3d"},
		{match.Player{ID: "SHA256:b", Name: "aIice"}, "alice#Xk3d"},
		{alice, "alice"},
		{match.Player{}, "alice"},
	} {
		if got := TellApart(alice, test.other); got.Name != test.want || got.ID != alice.ID {
			t.Errorf("opposite %q alice is called %q", test.other.Name, got.Name)
		}
	}
}

func FuzzTellApart(f *testing.F) {
	f.Add("alice", "alice")
	f.Add(strings.Repeat("漢", 8), strings.Repeat("漢", 8))
	f.Add("guest-1", "perfect")
	f.Fuzz(func(t *testing.T, one, other string) {
		p := match.Player{ID: "SHA256:Xk3d", Name: nameOr(one, "player-1")}
		q := match.Player{ID: "SHA256:ab12", Name: nameOr(other, "player-2")}
		told := TellApart(p, q)
		if skeleton(told.Name) == skeleton(q.Name) || ansi.StringWidth(told.Name) > maxNameWidth {
			t.Fatalf("%q opposite %q is called %q", p.Name, q.Name, told.Name)
		}
		if marked := strings.ContainsRune(told.Name, markSign); marked != (skeleton(p.Name) == skeleton(q.Name)) {
			t.Fatalf("%q opposite %q is called %q", p.Name, q.Name, told.Name)
		}
	})
}
