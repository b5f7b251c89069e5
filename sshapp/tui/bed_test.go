package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"notakto/match"
)

// bed is a manager and the players who come to it, on synctest's clock.
type bed struct {
	*testing.T
	manager *match.Manager
	players []*person
}

// person is one session: its program, run the way Bubble Tea would, but one message at a time.
type person struct {
	*bed
	*Root
	news chan tea.Msg
	quit bool
}

// inBubble runs a test on synctest's clock with a manager that is closed at its end.
func inBubble(t *testing.T, test func(*bed)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bed{T: t, manager: match.NewManager(match.Config{Seed: 7})}
		test(b)
		for _, p := range b.players {
			p.Close()
		}
		b.manager.Close()
		synctest.Wait()
	})
}

// ann is a player with a key of that name.
func keyed(name string) match.Player {
	return match.Player{ID: match.PlayerID("SHA256:" + name), Name: name}
}

func guest(name string) match.Player {
	return match.Player{ID: match.PlayerID("guest:" + name), Name: name, Guest: true}
}

// come begins a session in a window of 80x24.
func (b *bed) come(player match.Player) *person { return b.comeTo(player, Start{}) }

func (b *bed) comeTo(player match.Player, start Start) *person {
	p := &person{bed: b, news: make(chan tea.Msg, 100), Root: New(Config{
		Player: player, Manager: b.manager, Theme: NewTheme(Auto, colorprofile.TrueColor, true), Start: start,
	})}
	b.players = append(b.players, p)
	p.run(p.Init())
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	return p
}

// run has a command carried out as Bubble Tea would, on a goroutine of its own.
func (p *person) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, cmd := range msg {
				p.run(cmd)
			}
		default:
			p.news <- msg
		}
	}()
}

// send has messages taken in, and everything come to rest that follows from them, at all players.
func (p *person) send(msgs ...tea.Msg) {
	for _, msg := range msgs {
		p.take(msg)
		p.rest()
	}
}

func (p *person) take(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		p.quit = true
		return
	}
	_, cmd := p.Update(msg)
	p.run(cmd)
}

// rest waits until nothing moves without time going by.
func (b *bed) rest() {
	for moved := true; moved; {
		synctest.Wait()
		moved = false
		for _, p := range b.players {
			select {
			case msg := <-p.news:
				p.take(msg)
				moved = true
			default:
			}
		}
	}
}

// pass lets time go by, a second at a time.
func (b *bed) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		time.Sleep(min(d, time.Second)) // synctest's clock
		b.rest()
	}
}

// press presses keys by name, separated by blanks.
func (p *person) press(names string) {
	for name := range strings.FieldsSeq(names) {
		p.send(keyPress(name))
	}
}

// keyPress is the message of a key by its name.
func keyPress(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "backspace": tea.KeyBackspace, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	switch code, ok := named[name]; {
	case ok:
		return tea.KeyPressMsg{Code: code}
	case name == "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case name == "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	case name == "ctrl+c":
		return tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	default:
		return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
	}
}

// resize gives a person another window.
func (p *person) resize(width, height int) { p.send(tea.WindowSizeMsg{Width: width, Height: height}) }

// sees is the text of a person's screen.
func (p *person) sees() string { return ansi.Strip(p.View().Content) }

// mustSee fails unless every text is on the screen.
func (p *person) mustSee(texts ...string) {
	p.Helper()
	screen := p.sees()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			p.Fatalf("%s does not see %q:\n%s", p.session.player.Name, text, screen)
		}
	}
}

// mustNotSee fails if a text is on the screen.
func (p *person) mustNotSee(text string) {
	p.Helper()
	if screen := p.sees(); strings.Contains(screen, text) {
		p.Fatalf("%s sees %q:\n%s", p.session.player.Name, text, screen)
	}
}
