package names

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules/strategy"
)

func TestClaimedNamesAreShown(t *testing.T) {
	nameOf := func(id match.PlayerID) string {
		return map[match.PlayerID]string{"aaaa2222aaaa2222": "Ann", "bbbb3333bbbb3333": "bob"}[id]
	}
	claims := map[string]match.PlayerID{}
	for id := range map[match.PlayerID]bool{"aaaa2222aaaa2222": true, "bbbb3333bbbb3333": true} {
		for _, look := range Looks(nameOf(id)) {
			claims[look] = id
		}
	}
	show := NewNamer(nameOf, func(looks []string) match.PlayerID {
		for _, look := range looks {
			if id := claims[look]; id != "" {
				return id
			}
		}
		return ""
	})
	ann, bob := match.Player{ID: "aaaa2222aaaa2222", Name: "x"}, match.Player{ID: "bbbb3333bbbb3333", Name: "bob"}
	for _, test := range []struct {
		player, other match.Player
		want          string
	}{
		{ann, bob, "Ann"},
		{ann, match.Player{ID: "cccc4444cccc4444", Name: "ann"}, "Ann"},
		{match.Player{ID: "cccc4444cccc4444", Name: "ann"}, ann, "ann#cccc"},
		{match.Player{ID: "cccc4444cccc4444", Name: "ann"}, bob, "ann#cccc"},
		{match.Player{ID: "cccc4444cccc4444", Name: "ann#cccc"}, ann, "ann#cccc"},
		{match.Player{ID: "guest:12ab", Name: "B0B", Guest: true}, ann, "B0B#12ab"},
		{match.Player{ID: "cccc4444cccc4444", Name: "cleo"}, match.Player{ID: "dddd5555dddd5555", Name: "cle0"},
			"cleo#cccc"},
		{match.Computer(strategy.Club), ann, "club"},
		{match.Player{}, ann, ""},
	} {
		testkit.Equal(t, show(test.player, test.other).Name, test.want, test.player, test.other)
	}
}
