package tui

import (
	"fmt"
	"slices"
	"testing"

	"charm.land/bubbles/v2/key"

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
			"private": newPrivate(s), "invitation": newInvite(s, at), "computer": newComputer(s), "how to play": newHowTo(s),
			"watch": newWatch(s), "result": result, "result looked on": newResult(s, looking), "review": newReview(result, 0),
		} {
			groups := append(slices.Clip(screen.FullHelp()), []key.Binding{s.keys.switchTable})
			checkMeanings(t, fmt.Sprint(name, " of ", boards), groups)
		}
		ofTable := append(s.settingsOf(), s.keys.switchTable)
		for _, k := range s.keys.table { // also those that are not listed at this table, but work
			ofTable = append(ofTable, k.Binding)
		}
		checkMeanings(t, "any table", [][]key.Binding{ofTable})
		question := append(quitDialog(at, s).bindings(s.keys), s.keys.cut)
		checkMeanings(t, "question", [][]key.Binding{question})
	}
}

// checkMeanings checks that no two of the bindings of a screen that do different things have a key in common.
func checkMeanings(t *testing.T, screen string, groups [][]key.Binding) {
	t.Helper()
	meaning := map[string]string{}
	for _, b := range slices.Concat(groups...) {
		if !b.Enabled() {
			continue
		}
		for _, name := range b.Keys() {
			if was, bound := meaning[name]; bound && was != b.Help().Desc {
				t.Errorf("%s: %q means %q and %q", screen, name, was, b.Help().Desc)
			}
			meaning[name] = b.Help().Desc
		}
	}
}
