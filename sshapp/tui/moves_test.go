package tui

import (
	"slices"
	"strings"
	"testing"
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
