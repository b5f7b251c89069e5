package tui

import (
	"slices"
	"strings"
	"testing"

	"notakto/rules"
)

// The strip is turned like a page: the last moves stand on it in their order, never few of them, and what stands there
// stays in its place until the page is full.
func TestStripOfMoves(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/6")
		var played []string
		shifts, before := 0, ""
		for _, board := range "ABCDEF" {
			for _, cell := range "1246" {
				move := string(board) + string(cell)
				b.play([]*person{first, second}[len(played)%2], nil, move)
				played = append(played, move)
				strip := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(first.line(21)), "● Your turn"))
				if !strings.HasPrefix(strip, before) {
					shifts++
				}
				before = strip
				shown := strings.Fields(strings.ReplaceAll(strings.TrimPrefix(strip, "Moves"), "…", ""))
				if n := len(shown); n < min(8, len(played)) || !slices.Equal(shown, played[len(played)-n:]) {
					t.Fatalf("after %q the strip is %q", played, strip)
				}
			}
		}
		if shifts != 1 {
			t.Errorf("the page was turned %d times in %d moves", shifts, len(played))
		}
	})
}

// The list of moves stands close to the boards where these are hardly smaller for it, and the move that is marked on
// the boards stands out in it: to a player the opponent's last.
func TestTheListOfMoves(t *testing.T) {
	v := rules.DefaultVariant()
	for size, want := range map[[2]int]bool{{40, 16}: false, {80, 24}: false, {120, 40}: true, {200, 60}: true} {
		p := planTable(size[0], size[1], v)
		if got := p.panel.Width > 0; got != want {
			t.Errorf("at %v the list has %v", size, p.panel)
		}
		if at := p.boards.Bounds(); want && (p.panel.X-at.X-at.Width > 6 || p.panel.X < at.X+at.Width) {
			t.Errorf("at %v the list has %v, the boards %v", size, p.panel, at)
		}
	}
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		b.play(first, second, "A5", "B5", "A1")
		for p, want := range map[*person]int{first: 2, second: 3} {
			at := tableOf(p.screen)
			if got := (&tableScreen{session: p.session, table: at}).shownMove(); got != want {
				t.Errorf("%s sees move %d marked, want %d", p.session.player.Name, got, want)
			}
		}
	})
}
