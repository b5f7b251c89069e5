package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// spell returns the keys of a text.
func spell(text string) string { return strings.Join(strings.Split(text, ""), " ") }

// Letters of a code are keys of the screen too.
func TestPrivateTable(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann, bob := b.come(keyed("ann")), b.come(keyed("bob"))
		ann.press("3 4 enter")
		ann.mustSee("Your private table: 4 boards")
		ann.press("q")
		ann.mustSee("Close this table?")
		ann.press("y")
		ann.mustSee("The table has been closed.", "Play someone")
		ann.mustNotSee("Match in progress")
		ann.press("3 enter")
		bob.resize(40, 16)
		bob.press("3 down Z Z 9 9 9 enter")
		bob.mustSee("A code has six or eight characters.")
		bob.press("9")
		bob.mustNotSee("A code has six")
		bob.press("esc")
		for _, typed := range []string{"k7qxhw", "qfvxhw", "hjklhw", "w2sdhw"} {
			bob.press("3 down " + spell(typed) + " enter")
			bob.mustSee("Wrong code, or the match is over.")
			bob.press("esc")
		}
		rings := ann.Bell()
		bob.press("3 down " + spell(strings.ToLower(string(tableOf(ann.screen).Code))) + " enter")
		bob.mustSee("ann")
		ann.mustSee("4 boards", "bob")
		testkit.Equal(t, ann.Bell(), rings+1, "the bell when the guest sits down")
	})
}

// A clock is kept for the next private table, and not for the computer.
func TestPrivateTableWithAClock(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.come(keyed("ann"))
		ann.press("3 4 down right right enter")
		ann.mustSee("Your private table: 4 boards, 5+0")
		ann.press("q y 3")
		ann.mustSee("◂   4 boards    ▸", "◂      5+0      ▸")
		ann.press("esc 2 down down down enter")
		ann.mustSee("▸ Clock     ◂     none      ▸")
		ann.press("right right right right down enter")
		if table := tableOf(ann.screen); table == nil || table.Clock.String() != "1d" || !table.IsAgainstComputer() {
			t.Fatalf("the table is %+v", table)
		}
	})
}

// A guest who joins with the code of a seat becomes the player of that seat. Matches that the session had before are of
// another player then, and their end is no news.
func TestGuestComesBackByTheJoinScreen(t *testing.T) {
	inBubble(t, func(b *harness) {
		computer := start.Start{At: start.Computer, Side: rules.First}
		p := b.comeTo(guest("guest-1"), computer)
		p.resize(40, 16)
		code := string(tableOf(p.screen).Seat(rules.First).Code)
		p.mustSee(code)
		p.Close()
		b.rest()
		back := b.comeTo(guest("guest-2"), computer)
		back.resize(40, 16)
		back.press("q y 2s 3 down")
		back.send(tea.PasteMsg{Content: " " + code + "\n"})
		back.press("enter").mustSee("Your turn", code)
		testkit.Equal(t, back.Player().ID, guest("guest-1").ID)
		back.press("q y").mustNotSee("is over", ", over")
	})
}

// The notice with a new code must not hide the time to make the first move.
func TestAGuestSeesANewResumeCode(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: 10 * time.Minute}, func(b *harness) {
		p, ann := b.comeTo(guest("guy"), start.Start{At: start.Computer, Side: rules.First}), b.come(keyed("ann"))
		p.mustNotSee("Now return with")
		p.press("q y 1")
		ann.press("1")
		if first, _ := b.inOrder(p, ann); first == ann {
			ann.press("5")
		}
		table := tableOf(p.screen)
		code := string(table.Seat(table.Side).Code)
		p.mustSee("Now return with: join " + code)
		b.advance(time.Until(table.MoveBy) - 30*time.Second)
		p.mustSee("Make your first move: 30 s left", code)
	})
}

func TestLargeLetters(t *testing.T) {
	drawn := func(charset draw.Charset, code string) string {
		var grid render.Grid
		width, height := draw.LargeSize(code, 1)
		c := draw.NewCanvas(&grid, width, height, draw.NewTheme(draw.Auto, colorprofile.ANSI, charset))
		c.Large(0, 0, draw.Own, code, 1)
		return grid.String()
	}
	shapes := map[string]bool{"": true}
	for _, letter := range match.CodeLetters {
		shape := drawn(draw.Unicode, string(letter))
		testkit.Equal(t, shapes[strings.TrimSpace(shape)], false, string(letter), "has the shape of another:", shape)
		shapes[strings.TrimSpace(shape)] = true
		testkit.Equal(t, drawn(draw.ASCII, string(letter)), strings.ReplaceAll(shape, "█", string(letter)))
	}
}
