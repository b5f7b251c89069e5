package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
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
				if len(played)%2 == 1 { // the player's own is listed after a moment
					b.advance(turnBannerDelay)
				}
				strip, _, _ := strings.Cut(strings.TrimSpace(first.line(21)), "● Your turn")
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
			if got := shownMove(at); got != want {
				t.Errorf("%s sees move %d marked, want %d", p.env.player.Name, got, want)
			}
		}
	})
}

// In half of all matches the opponent had the colour of the player's cursor, last move and turn.
func TestThePlayerIsAmberInBothSeats(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match})
		amber, sky := colorOf(first, "▌"), colorOf(first, "▐")
		if amber == sky {
			t.Fatalf("both players are %q", amber)
		}
		for _, test := range []struct {
			p           *person
			left, right string
		}{{second, sky, amber}, {cleo, sky, amber}} {
			if left, right := colorOf(test.p, "▌"), colorOf(test.p, "▐"); left != test.left || right != test.right {
				t.Errorf("%s sees the players in %q and %q, want %q and %q", test.p.env.player.Name, left, right,
					test.left, test.right)
			}
		}
		if cursor := colorOf(first, "┏"); cursor != amber {
			t.Errorf("the cursor is %q, the player %q", cursor, amber)
		}
	})
}

// colorOf is the colour of the first of a sign on a person's screen.
func colorOf(p *person, sign string) string {
	before, _, found := strings.Cut(wireTo(p).first, sign)
	all := regexp.MustCompile(`38;5;\d+`).FindAllString(before, -1)
	if !found || len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// A player who sees a finished match again, from the list of them, read of two strangers.
func TestAPlayerIsYouInAFinishedMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/1")
		b.play(first, second, "A1", "A5")
		second.press("r y")
		for _, test := range []struct {
			of   *person
			want string
		}{{first, "You won"}, {second, "You lost"}} {
			seat := tableOf(test.of.screen)
			again := newResult(test.of.env, &client.Table{Snapshot: seat.Snapshot, Player: seat.Player})
			if got := headline(again.table); got != test.want || amberSide(again.table) != seat.Side {
				t.Errorf("it is %q, and side %v is amber; want %q, %v", got, amberSide(again.table), test.want, seat.Side)
			}
		}
	})
}
