package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"golang.org/x/crypto/ssh"

	"notakto/internal/rig"
	"notakto/sshapp/render"
)

// person is a player with a terminal emulator, connected by SSH. The SSH library writes the server's output from a
// goroutine of its own. After the first error of a stage, the methods of its persons do nothing.
type person struct {
	stage   *stage
	name    string
	client  *ssh.Client
	keys    io.Writer
	changed chan struct{} // holds a value if the screen has changed since the last receive

	mu       sync.Mutex // guards terminal and title
	terminal *vt.Emulator
	title    string
}

// connect logs a player in on a terminal with 24-bit colours.
func (s *stage) connect(name string, key int) *person {
	p := &person{
		stage: s, name: name, changed: make(chan struct{}, 1), terminal: vt.NewEmulator(s.size.columns, s.size.rows),
	}
	p.terminal.SetCallbacks(vt.Callbacks{Title: func(title string) { p.title = title }})
	if s.err == nil {
		s.fail(name+" connects", p.begin(key))
	}
	return p
}

func (p *person) begin(key int) (err error) {
	login := rig.Client{Address: p.stage.address, User: p.name, Key: rig.Key(key)}
	if p.client, err = login.Login(p.stage.ctx); err != nil {
		return err
	}
	session, err := p.client.NewSession()
	if err != nil {
		return err
	}
	session.Stdout = p
	if p.keys, err = session.StdinPipe(); err != nil {
		return err
	}
	size := p.stage.size
	return errors.Join(session.Setenv("COLORTERM", "truecolor"),
		session.RequestPty("xterm-256color", size.rows, size.columns, ssh.TerminalModes{}), session.Shell())
}

func (p *person) leave() {
	if p.client != nil {
		_ = p.client.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.terminal.Close() // under mu, because Write may still receive the server's exit message
}

// Write draws output of the server on the terminal.
func (p *person) Write(sent []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default: // already signalled
	}
	return p.terminal.Write(sent)
}

// text returns the text of the screen.
func (p *person) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.terminal.String()
}

// press sends keys and waits until the screen contains all texts.
func (p *person) press(keys string, texts ...string) {
	if p.stage.err == nil {
		_, err := io.WriteString(p.keys, keys)
		p.stage.fail(fmt.Sprintf("%s presses %q", p.name, keys), err)
	}
	p.await(texts...)
}

// place types move until the screen shows it, then waits for texts. Boards ignore moves for a moment when they
// appear.
func (p *person) place(move string, texts ...string) {
	for isPlaced := false; !isPlaced && p.stage.err == nil; {
		p.press(move)
		isPlaced = p.waitFor(move, 400*time.Millisecond, hasAll(move))
	}
	p.await(texts...)
}

func (p *person) await(texts ...string) { p.waitUntil(strings.Join(texts, " and "), hasAll(texts...)) }

func hasAll(texts ...string) func(string) bool {
	return func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	}
}

// waitUntil waits until done accepts the text of the screen. what names the condition in the error.
func (p *person) waitUntil(what string, done func(screen string) bool) {
	for p.stage.err == nil && !p.waitFor(what, timeout, done) {
	}
}

// waitFor waits until done accepts the text of the screen, and reports whether that was within limit. The end of the
// stage's context is an error of the stage, in which what names the condition.
func (p *person) waitFor(what string, limit time.Duration, done func(screen string) bool) bool {
	ctx, cancel := context.WithTimeout(p.stage.ctx, limit)
	defer cancel()
	for p.stage.err == nil {
		if done(p.text()) {
			return true
		}
		select {
		case <-p.changed:
		case <-ctx.Done():
			if err := context.Cause(p.stage.ctx); err != nil {
				p.stage.fail(p.name+" waits for "+what, fmt.Errorf("%w; the screen is\n%s", err, p.text()))
			}
			return false
		}
	}
	return false
}

// shoot adds the present screen to the shots of the stage. lasts is its time in the film of the match.
func (p *person) shoot(name string, lasts time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	cells := make([][]render.Cell, p.stage.size.rows)
	for y := range cells {
		cells[y] = make([]render.Cell, p.stage.size.columns)
		for x := range cells[y] {
			cells[y][x] = toCell(p.terminal.CellAt(x, y))
		}
	}
	p.stage.shots = append(p.stage.shots, shot{name: name, title: p.title, cells: cells, lasts: lasts})
}

func toCell(c *uv.Cell) render.Cell {
	s := c.Style
	return render.Cell{Glyph: c.Content, Style: render.Style{
		Foreground: s.Fg, Background: s.Bg, Bold: s.Attrs&uv.AttrBold != 0, Faint: s.Attrs&uv.AttrFaint != 0,
		Underline: s.Underline != 0, Reverse: s.Attrs&uv.AttrReverse != 0,
	}}
}
