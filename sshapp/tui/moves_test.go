package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/sshapp/start"
)

// The strip turns like a page. Moves keep their places until the page is full, and a new page is never nearly empty.
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
				if len(played)%2 == 1 { // the player's own move is listed after a moment
					b.advance(turnBannerDelay)
				}
				strip, _, _ := strings.Cut(strings.TrimSpace(strings.Split(first.sees(), "\n")[21]), "● Your turn")
				strip = strings.TrimSpace(strings.TrimSuffix(strip, "bob's turn"))
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
		testkit.Equal(t, shifts, 1, len(played))
	})
}

func TestThePlayerIsAmberInBothSeats(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		amber, sky := colorOf(first, "▌"), colorOf(first, "▐")
		if amber == sky {
			t.Fatalf("both players are %q", amber)
		}
		testkit.Equal(t, colorOf(first, "┏"), amber)
		for _, p := range []*person{second, cleo} {
			testkit.Equal(t, [2]string{colorOf(p, "▌"), colorOf(p, "▐")}, [2]string{sky, amber}, p.env.player.Name)
		}
	})
}

// colorOf returns the colour of the first occurrence of a sign on a person's screen.
func colorOf(p *person, sign string) string {
	before, _, found := strings.Cut(wireTo(p).first, sign)
	all := regexp.MustCompile(`38;5;\d+`).FindAllString(before, -1)
	if !found || len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}
