package tui

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
)

// A key with two meanings on one screen has one that no player ever reaches.
func TestEveryKeyHasOneMeaning(t *testing.T) {
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		v, err := rules.Notakto(boards)
		if err != nil {
			t.Fatal(err)
		}
		r := seatAt(t, utf8Theme(), middle(v), 80, 24)
		s, at := r.env, tableOf(r.screen)
		looking := &client.Table{Snapshot: &match.Snapshot{State: at.State}}
		result := newResult(s, at)
		for name, screen := range map[string]screen{
			"table": r.screen, "spectator": newTable(s, looking), "lobby": newLobby(s, r.matches), "waiting": newWaiting(s),
			"private": newPrivate(s), "invitation": &inviteScreen{s, at}, "computer": newComputer(s), "how to play": newHowTo(s),
			"watch": newWatch(s), "result": result, "result looked on": newResult(s, looking),
			"review": &reviewScreen{result: result},
		} {
			own, settings := (&Root{env: s, screen: screen, matches: r.matches}).listed()
			other := action{key: &s.keys.switchTable, long: "your match"}
			checkMeanings(t, fmt.Sprint(name, " of ", boards), append(slices.Concat(own, settings), other))
		}
		checkMeanings(t, "any table", append(s.settingActions(), r.screen.actions()...)) // also what is not listed, but works
		question := []action{{key: &s.keys.yes}, {key: &s.keys.no}, {key: &s.keys.cut}}
		checkMeanings(t, "question", question)
	}
}

// checkMeanings checks that no two of the bindings of a screen that do different things have a key in common.
func checkMeanings(t *testing.T, screen string, actions []action) {
	t.Helper()
	meaning := map[string]string{}
	for _, a := range actions {
		what := cmp.Or(a.long, a.key.Help().Desc, a.key.Help().Key)
		for _, name := range a.key.Keys() {
			if was, bound := meaning[name]; bound && was != what {
				t.Errorf("%s: %q means %q and %q", screen, name, was, what)
			}
			meaning[name] = what
		}
	}
}
