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
		s, at := r.session, tableOf(r.screen)
		looking := &client.Table{Snapshot: &match.Snapshot{State: at.State}}
		result := s.newResult(at)
		for name, screen := range map[string]screen{
			"table": r.screen, "spectator": s.newTable(looking), "lobby": s.newLobby(), "waiting": s.newWaiting(),
			"private": s.newPrivate(), "invitation": s.newInvite(at), "computer": s.newComputer(), "how to play": s.newHowTo(),
			"watch": s.newWatch(), "result": result, "result looked on": s.newResult(looking), "review": result.newReview(0),
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
