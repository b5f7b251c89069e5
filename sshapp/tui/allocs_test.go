//go:build !race

// The race detector allocates too, so this file is not in its build.

package tui

import (
	"math"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// A key should make no garbage, because a collection makes the keys of all sessions wait. Each screen takes two keys
// that undo each other.
func TestTheCommonestKeysAllocateLittle(t *testing.T) {
	m := manager.New(manager.Config{})
	t.Cleanup(m.Close)
	theme := draw.NewTheme(draw.Auto, colorprofile.ANSI256, draw.Unicode)
	tableIn := func(game string) *Root {
		played, err := rules.ParseGame(game)
		testkit.OK(t, err)
		return seatAt(t, theme, played, 80, 24)
	}
	open := func(to navigation) *Root {
		r := alone(Config{Player: keyed("ann"), Manager: m, Theme: theme})
		t.Cleanup(r.Close)
		if to == nil {
			return r
		}
		if cmd := to(r); r.opening { // the exercise is still to be read
			r.Update(cmd())
		}
		return r
	}
	for name, screen := range map[string]struct {
		root  *Root
		there string
		back  string
		most  float64
	}{
		"lobby":    {open(nil), "down", "up", 0},
		"table":    {tableIn("notakto/3: A5 B5 C1 A9 B1 C9"), "right", "left", 0},
		"nine":     {tableIn("notakto/9: A5 B5 C1 D9 E1 F9"), "right", "left", 0},
		"computer": {open(toComputer), "down", "up", 8},
		"opponent": {open(toOpponent), "down", "up", 5},
		"private":  {open(toPrivate), "down", "up", 18},
		"learn":    {open(toLearn), "down", "up", 5},
		"exercise": {open(openExercise(start.Daily, 0)), "right", "left", 12},
		"ladder":   {open(toLadder), "down", "up", 2},
		"you":      {open(toYou), "down", "up", 4},
		"help":     {open(nil), "?", "?", 15},
	} {
		var there, back tea.Msg = keyPress(screen.there), keyPress(screen.back)
		var grid render.Grid
		least := math.Inf(1)
		for range 10 { // the runtime's own goroutines allocate now and then
			least = min(least, testing.AllocsPerRun(10, func() {
				screen.root.Update(there)
				screen.root.Render(&grid)
				screen.root.Update(back)
				screen.root.Render(&grid)
			}))
		}
		if least /= 2; least > screen.most {
			t.Errorf("%s: %.1f allocations a key, want at most %.0f", name, least, screen.most)
		}
	}
}
