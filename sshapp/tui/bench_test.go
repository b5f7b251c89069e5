package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/render"
	"notakto/sshapp/tui/draw"
)

// tableIn returns the root of a session at a table in mid-game, without a manager.
func tableIn(tb testing.TB, game string, width, height int) *Root {
	tb.Helper()
	played, err := rules.ParseGame(game)
	testkit.OK(tb, err)
	r := alone(Config{
		Player: keyed("ann"), Manager: manager.New(manager.Config{}),
		Theme: draw.NewTheme(draw.Auto, colorprofile.ANSI256, draw.Unicode),
	})
	tb.Cleanup(r.Close)
	r.env.width, r.env.height = width, height
	snapshot := &match.Snapshot{State: new(stateOf(tb, played))}
	r.screen = newTable(r.env, &client.Table{Side: rules.First, Snapshot: snapshot})
	return r
}

func BenchmarkTable(b *testing.B) {
	for _, benchmark := range []struct {
		name, game    string
		width, height int
	}{
		{"three boards, 80x24", "notakto/3: A5 B5 C1 A9 B1 C9 A1", 80, 24},
		{"nine boards, 80x24", "notakto/9: A5 B5 C1 D9 E1 F9 G1 H2 I3", 80, 24},
		{"nine boards, 40x16", "notakto/9: A5 B5 C1 D9 E1 F9 G1 H2 I3", 40, 16},
		{"three boards, 100x36", "notakto/3: A5 B5 C1 A9 B1 C9 A1", 100, 36},
	} {
		b.Run(benchmark.name, func(b *testing.B) {
			r := tableIn(b, benchmark.game, benchmark.width, benchmark.height)
			b.ReportAllocs()
			var grid render.Grid
			for b.Loop() {
				r.Render(&grid)
			}
		})
	}
}

func BenchmarkCursor(b *testing.B) {
	r := tableIn(b, "notakto/3: A5 B5 C1 A9 B1 C9 A1", 80, 24)
	b.ReportAllocs()
	press := keyPress("right")
	var grid render.Grid
	for b.Loop() {
		r.Update(press)
		r.Render(&grid)
	}
}

func BenchmarkLobby(b *testing.B) {
	r := alone(Config{
		Player: keyed("ann"), Manager: manager.New(manager.Config{}),
		Theme: draw.NewTheme(draw.Auto, colorprofile.ANSI256, draw.Unicode),
	})
	b.Cleanup(r.Close)
	r.env.width, r.env.height = 80, 24
	b.ReportAllocs()
	keys := [2]tea.Msg{keyPress("down"), keyPress("up")}
	var grid render.Grid
	i := 0
	for b.Loop() {
		r.Update(keys[i%2])
		r.Render(&grid)
		i++
	}
}
