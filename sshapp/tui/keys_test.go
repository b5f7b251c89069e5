package tui

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
)

// If two actions of a screen share a key, the player never reaches one of them.
func TestEveryKeyHasOneMeaning(t *testing.T) {
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		v, err := rules.Notakto(boards)
		testkit.OK(t, err)
		r := seatAt(t, utf8Theme(), middle(v), 80, 24)
		s, table := r.env, tableOf(r.screen)
		looking := &client.Table{Snapshot: &match.Snapshot{State: table.State}}
		result := newResult(s, table)
		for name, screen := range map[string]screen{
			"table": r.screen, "spectator": newTable(s, looking), "lobby": newLobby(s), "waiting": newWaiting(s),
			"challenge": newChallenge(s, withCode), "invitation": &inviteScreen{s, table}, "computer": newComputer(s),
			"how to play": newLearn(s, 1), "away": newAway(s),
			"question": exerciseAt(t, s, 0), "answer": exerciseAt(t, s, 1), "end": exerciseAt(t, s, 6),
			"watch": newWatch(s), "result": result, "result looked on": newResult(s, looking),
			"review": &reviewScreen{result: result},
		} {
			own, settings := (&Root{env: s, screen: screen, matches: r.matches}).helpActions()
			anywhere := []action{
				{key: &s.keys.switchTable, long: "your match"}, {key: &s.keys.leaveQueue, long: "leave the queue"},
			}
			checkMeanings(t, fmt.Sprint(name, " of ", boards), slices.Concat(own, settings, anywhere))
		}
		// The actions include those that the help leaves out.
		checkMeanings(t, "any table", append(s.settingActions(), r.screen.actions()...))
		question := []action{{key: &s.keys.yes}, {key: &s.keys.no}, {key: &s.keys.interrupt}}
		checkMeanings(t, "question", question)
	}
}

// exerciseAt returns the screen of daily puzzles after a number of answers and of steps to the next question.
func exerciseAt(t *testing.T, e *env, steps int) *exerciseScreen {
	t.Helper()
	day := client.Exercises{Now: func() time.Time { return begin }}
	x, err := day.Puzzles(t.Context(), 0)
	testkit.OK(t, err)
	for i := range steps {
		if q, _ := x.Question(); i%2 == 0 {
			f, _ := x.Answer(t.Context(), answerTo(q.Position, true))
			x.Take(f)
		} else {
			x.Next()
		}
	}
	result, _ := x.Summary(t.Context())
	return &exerciseScreen{env: e, exercise: x, result: result}
}

// checkMeanings fails if two bindings of a screen with different effects have a key in common.
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

// The table of docs/playing.md names every key of a table, and no other. It gives ranges for the boards and the cells,
// and names no arrows and no further keys of an action with a named key.
func TestPageHasTheKeysOfTheTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/playing.md")
	testkit.OK(t, err)
	_, section, _ := strings.Cut(string(text), "At the table:\n\n")
	section, _, _ = strings.Cut(section, "\n\n")
	documented := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(section, -1) {
		for _, key := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			documented[strings.ToLower(key[1])] = true
		}
	}
	r := seatAt(t, utf8Theme(), middle(rules.DefaultVariant()), 80, 24)
	unnamed := append(strings.Fields("up down left right kpenter esc f1"), r.env.keys.smallBoards.Keys()...)
	bindings := append(r.env.settingActions(), action{key: &r.env.keys.help}, action{key: &r.env.keys.interrupt})
	bound := map[string]bool{"v": true} // a key of the result
	for _, b := range append(bindings, r.screen.actions()...) {
		for _, key := range b.key.Keys() {
			name := strings.ToLower(strings.NewReplacer("ctrl+", "ctrl-", "shift+", "shift-").Replace(key))
			bound[name] = true
			isInRange := len(key) == 1 && (key >= "A" && key <= "I" || key > "1" && key < "9")
			if !documented[name] && !isInRange && !slices.Contains(unnamed, name) {
				t.Errorf("docs/playing.md does not have %q", name)
			}
		}
	}
	for key := range documented {
		testkit.Equal(t, bound[key], true, key, "is no key of the table")
	}
	testkit.Equal(t, len(documented) > 10, true, "the table is not found")
}
