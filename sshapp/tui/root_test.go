package tui

import (
	"image/color"
	"strings"
	"testing"
	"time"

	"notakto/sshapp/tui/draw"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"notakto/match"
	"notakto/match/account"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// Ctrl-C asks before the session ends and says what becomes of the match; asked twice, it ends at once.
func TestCut(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("ctrl+c")
		first.mustSee("Quit Notakto?", "Your seat is kept; you have 60 s")
		first.press("n")
		first.mustNotSee("Quit Notakto?")
		first.press("ctrl+c ctrl+c")
		if !first.quit {
			t.Error("still there after Ctrl-C twice")
		}
		lobby := b.come(keyed("cleo"))
		lobby.press("q y")
		if !lobby.quit {
			t.Error("still there after q and y in the lobby")
		}
	})
}

// Ctrl-C works while a code is typed, and where the window is too small to show the question.
func TestCutAnywhere(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		p.press("3 down ctrl+c y")
		q := b.come(keyed("bob"))
		q.resize(20, 5)
		q.press("ctrl+c ctrl+c")
		if !p.quit || !q.quit {
			t.Errorf("quit: %v while typing, %v in a small window", p.quit, q.quit)
		}
	})
}

// Below the smallest size the screen says what is needed, keys do nothing, and the match is kept.
func TestTooSmall(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		for _, size := range [][2]int{{38, 14}, {39, 40}, {100, 15}, {10, 3}, {1, 1}} {
			first.resize(size[0], size[1])
			first.press("5 r y")
			text := strings.Join(strings.Fields(first.sees()), " ")
			if size[0] > 30 && !strings.Contains(text, "Notakto needs 40x16; this window is") ||
				size[0] > 30 && !strings.Contains(text, "match is kept") {
				t.Errorf("at %v: %q", size, text)
			}
		}
		first.resize(40, 16)
		first.mustSee("Your turn")
		if n := len(tableOf(first.screen).Moves); n != 0 {
			t.Errorf("%d moves were made unseen", n)
		}
	})
}

// The window's title says whose turn it is and never who plays; the bell rings when a turn begins.
func TestTitleAndBell(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		rings := second.Bell()
		first.press("5")
		if second.Bell() != rings+1 {
			t.Errorf("%d bells for a turn that began", second.Bell()-rings)
		}
		if title := second.View().WindowTitle; title != "● Your turn — Notakto" {
			t.Errorf("title %q", title)
		}
		b.advance(time.Second)
		if title := first.View().WindowTitle; strings.Contains(title, second.Player().Name) || title != "Notakto" {
			t.Errorf("title %q", title)
		}
		second.press("b B 5")
		rings = second.Bell()
		first.press("C 5")
		if second.Bell() != rings {
			t.Error("a bell that was turned off")
		}
	})
}

// The theme goes round, the digits turn over, and the mouse is used only once it is wanted.
func TestSettings(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Computer, Side: rules.First, Level: strategy.Random})
		before := p.View().Content
		for _, name := range []string{"dark", "light", "mono", "auto"} {
			p.press("t")
			p.mustSee("Colours: " + name)
		}
		p.press("right")
		p.press("left")
		if p.View().Content != before {
			t.Error("four themes on, it looks different")
		}
		if p.View().MouseMode != tea.MouseModeNone {
			t.Error("the mouse is on before it is wanted")
		}
		p.send(tea.MouseClickMsg{X: 10, Y: 10, Button: tea.MouseLeft})
		if len(tableOf(p.screen).Moves) > 0 {
			t.Error("a click placed a mark while the mouse was off")
		}
		p.press("m p")
		p.mustSee("1 2 3 on top")
		if p.View().MouseMode != tea.MouseModeCellMotion {
			t.Error("the mouse is off after m")
		}
		p.press("1")
		if m := tableOf(p.screen).Moves[0].String(); m != "A7" {
			t.Errorf("1 on a telephone placed %s", m)
		}
	})
}

// What the keys of settings choose is there again at the next login. It is told once, at the end, and only if it
// differs.
func TestSettingsAreRemembered(t *testing.T) {
	inBubble(t, func(b *harness) {
		theme := draw.NewTheme(draw.Auto, colorprofile.TrueColor, draw.Unicode)
		var stored []account.Preferences
		session := func(p account.Preferences, keys ...string) *Root {
			r := New(Config{
				Player: keyed("ann"), Manager: b.manager, Theme: theme, Preferences: p,
				OnPreferences: func(p account.Preferences) { stored = append(stored, p) },
			})
			for _, name := range keys {
				r.Update(tea.KeyPressMsg{Code: rune(name[0]), Text: name})
			}
			return r
		}
		session(account.Preferences{}).Close()
		session(account.Preferences{}, "t", "t", "t", "t", "p", "p", "b", "b").Close()
		dark := session(account.Preferences{})
		dark.Update(tea.BackgroundColorMsg{Color: color.Black})
		dark.Close()
		if len(stored) > 0 {
			t.Errorf("nothing was chosen, and remembered: %+v", stored)
		}
		session(account.Preferences{}, "t", "p", "m", "b", "z").Close()
		want := account.Preferences{Theme: "dark", Digits: "phone", Mouse: "on", Bell: "off", Motion: "off"}
		if len(stored) != 1 || stored[0] != want {
			t.Fatalf("remembered: %+v", stored)
		}
		again := session(want)
		c := again.env.settings
		if again.env.theme.Kind() != draw.Dark || c.digits != draw.Phone || !again.Mouse() || !c.silent || !c.still {
			t.Errorf("the next session begins with %+v", c)
		}
		again.Close()
		if len(stored) != 1 {
			t.Errorf("nothing was chosen, and remembered: %+v", stored)
		}
		session(want, "t", "t", "t", "p", "m", "b", "z").Close()
		if len(stored) != 2 || stored[1] != (account.Preferences{}) {
			t.Errorf("back to the defaults: %+v", stored)
		}
		// by a newer version
		session(account.Preferences{Theme: "neon", Digits: "x", Mouse: "x", Bell: "x", Motion: "x"}).Close()
	})
}

func TestADeletionIsShownAtTheLogin(t *testing.T) {
	inBubble(t, func(b *harness) {
		theme := draw.NewTheme(draw.Auto, colorprofile.TrueColor, draw.Unicode)
		r := New(Config{
			Player: keyed("ann"), Manager: b.manager, Theme: theme, DeletedAt: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC),
		})
		defer r.Close()
		const want = "Your account will be deleted on 1 December. To keep it: ssh HOST me undo"
		if !strings.Contains(r.View().Content, want) {
			t.Errorf("the lobby is\n%s", r.View().Content)
		}
	})
}

// A click places a mark on the cell that it meets.
func TestMouse(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.press("m")
		a := planTable(80, 24, rules.DefaultVariant()).boards
		at := a.Board(1)
		first.clickAt(at.X+(at.Width-2)/3, at.Y)
		first.send(tea.MouseClickMsg{X: at.X + at.Width - 1, Y: at.Y, Button: tea.MouseRight})
		first.clickAt(at.X+at.Width-1, at.Y)
		if moves := tableOf(first.screen).Moves; len(moves) != 1 || moves[0].String() != "B9" {
			t.Errorf("clicks placed %v", moves)
		}
	})
}

// The server's notices are shown until a key is pressed, over two lines in a small window.
func TestNotice(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/9")
		first.resize(40, 16)
		first.send(Notice("The server restarts in 10 seconds; your match is kept."))
		first.mustSee("The server restarts in 10 seconds;", "your match is kept.")
		first.press("right")
		first.mustNotSee("restarts")
	})
}

// What those who look after the server announce is read before all else, and not lost by a key that was just typed.
func TestAnnouncement(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/9")
		second.press("q y")
		first.resize(40, 16)
		first.send(failed{nil, match.ErrTooMany})
		first.send(Announcement("Operator: the server restarts at noon; your match is kept."))
		first.mustSee("Operator: the server restarts at noon;", "your match is kept.")
		first.press("right")
		first.mustSee("Operator: the server restarts at")
		first.press("?")
		first.mustNotSee("Operator")
		b.advance(6 * time.Second)
		first.press("esc")
		first.mustSee("Operator: the server restarts at")
		first.press("right")
		first.mustNotSee("Operator")
	})
}

// A terminal that tells its ground gets the colours for it, unless the player has chosen others.
func TestGround(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		p.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#ffffff")})
		if kind := p.env.theme.Kind(); kind != draw.Light {
			t.Errorf("%v on white", kind)
		}
		p.press("t")
		p.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#000000")})
		if kind := p.env.theme.Kind(); kind != draw.Mono {
			t.Errorf("%v in place of the one chosen", kind)
		}
	})
}

// Every key of every screen is in its help, and the help is left by any key.
func TestHelp(t *testing.T) {
	for name, picture := range pictures() {
		if name == "help" || name == "resign" {
			continue
		}
		inBubble(t, func(b *harness) {
			p := picture(b)
			for _, size := range [][2]int{{40, 16}, {72, 20}, {80, 24}, {120, 40}} {
				p.resize(size[0], size[1])
				p.press("?")
				for _, group := range p.screen.FullHelp() {
					for _, binding := range group {
						if binding.Enabled() {
							p.mustSee(binding.Help().Key, binding.Help().Desc)
						}
					}
				}
				p.press("q")
				p.mustNotSee("Any key goes back")
			}
		})
	}
}

// The digits of a telephone are for typing: moves have one name, for both players.
func TestHelpSaysHowMovesAreNamed(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/3")
		first.resize(40, 16)
		first.press("?")
		first.mustNotSee("still named")
		first.press("? p ?")
		first.mustSee("Moves are still named 7 8 9 on top.", "q     leave")
	})
}

// Who waits for the opponent in a match, at the table or elsewhere, is not idle; who could move, or only waits for
// someone to come, may be.
func TestAwaitsOpponent(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/3")
		invite := b.comeTo(keyed("cleo"), start.Start{At: start.Private})
		queue := b.comeTo(keyed("dan"), start.Start{At: start.Queue})
		lobby := b.come(keyed("eve"))
		for _, c := range []struct {
			p    *person
			want bool
		}{{first, false}, {second, true}, {invite, false}, {queue, false}, {lobby, false}} {
			if got := c.p.AwaitsOpponent(); got != c.want {
				t.Errorf("%s: %v\n%s", c.p.Player().Name, got, c.p.sees())
			}
		}
		first.press("q y")
		second.press("q y")
		b.advance(2 * time.Second)
		if first.AwaitsOpponent() || !second.AwaitsOpponent() {
			t.Errorf("from the lobby: %v and %v", first.AwaitsOpponent(), second.AwaitsOpponent())
		}
	})
}

// A name that is not as clean as it should be can neither write escape codes nor widen a line.
func TestHostileName(t *testing.T) {
	inBubble(t, func(b *harness) {
		player := keyed("x")
		player.Name = "a\x1b]52;c;aGk=\x07\u202e\u0085" + strings.Repeat("棋", 60)
		p := b.comeTo(player, start.Start{At: start.Computer})
		for _, size := range sizes() {
			p.resize(size[0], size[1])
			p.sees()
			if content := p.View().Content; strings.Contains(content, "\x1b]") || strings.ContainsAny(content, "\u0085\x07") {
				t.Fatalf("a control character in a frame: %q", content)
			}
			if title := p.View().WindowTitle; strings.Contains(title, "a") && strings.Contains(title, "棋") ||
				ansi.Strip(title) != title {
				t.Fatalf("title %q", title)
			}
		}
	})
}
