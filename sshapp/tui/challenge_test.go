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
		rings := ann.Bell()
		bob.press("3 down " + spell(strings.ToLower(string(tableOf(ann.screen).Code))) + " enter")
		bob.mustSee("4 boards", "ann")
		ann.mustSee("4 boards", "bob")
		if ann.Bell() == rings {
			t.Error("no bell when the guest sat down")
		}
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
		ann.press("esc 2")
		ann.mustSee("4 boards", "More        clock")
		ann.press("down down down enter")
		ann.mustSee("▸ Clock     ◂     none      ▸")
		ann.press("right right right right down")
		ann.mustSee("▸ Enter start the match")
		ann.press("enter")
		if table := tableOf(ann.screen); table == nil || table.Clock.String() != "1d" || !table.IsAgainstComputer() {
			t.Fatalf("the table is %+v", table)
		}
	})
}

// Letters of a code are keys of the screen too.
func TestWrongCode(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		p.resize(40, 16)
		p.press("3 down Z Z 9 9 9 enter")
		p.mustSee("A code has six or eight characters.")
		p.press("9")
		p.mustNotSee("A code has six")
		p.press("esc")
		for _, typed := range []string{"K 7 Q X H W", "q f v x h w", "h j k l h w", "w 2 s d h w"} {
			p.press("3 down " + typed + " enter")
			p.mustSee("Wrong code, or the match is over.")
			p.press("backspace")
			p.mustNotSee("Wrong code, or the match is over.")
			p.press("esc")
			p.mustSee("Play someone")
		}
	})
}

func TestGuestComesBackByTheJoinScreen(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(guest("guest-1"), start.Start{At: start.Computer, Side: rules.First})
		p.resize(40, 16)
		code := string(tableOf(p.screen).Seat(rules.First).Code)
		p.mustSee(code)
		p.Close()
		b.rest()
		back := b.come(guest("guest-2"))
		back.resize(40, 16)
		back.press("3 down")
		back.send(tea.PasteMsg{Content: " " + code + "\n"})
		back.press("enter")
		back.mustSee("Your turn", code)
		testkit.Equal(t, back.Player().ID, guest("guest-1").ID)
	})
}

// The notice with a new code must not hide the time to make the first move.
func TestAGuestSeesANewResumeCode(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: 10 * time.Minute}, func(b *harness) {
		p, ann := b.comeTo(guest("guy"), start.Start{At: start.Computer, Side: rules.First}), b.come(keyed("ann"))
		p.mustNotSee("Now return with")
		p.press("q y 1")
		ann.press("1")
		if !tableOf(p.screen).IsMyTurn() {
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
	letterOf := make(map[string]rune)
	for _, letter := range match.CodeLetters {
		shape := drawn(draw.Unicode, string(letter))
		if other, twice := letterOf[shape]; twice || strings.TrimSpace(shape) == "" {
			t.Errorf("%c has the shape of %c:\n%s", letter, other, shape)
		}
		letterOf[shape] = letter
		testkit.Equal(t, drawn(draw.ASCII, string(letter)), strings.ReplaceAll(shape, "█", string(letter)),
			string(letter))
	}
}
