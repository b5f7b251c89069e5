package main

import (
	"context"
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
// goroutine of its own.
type person struct {
	name    string
	client  *ssh.Client
	window  size
	keys    io.Writer
	changed chan struct{} // holds a value if the screen has changed since the last receive

	mu       sync.Mutex // guards terminal and title
	terminal *vt.Emulator
	title    string
}

func (g *gameServer) connect(name string, key int, window size) (*person, error) {
	client, err := ssh.Dial("tcp", g.address, &ssh.ClientConfig{
		User: name, Auth: []ssh.AuthMethod{ssh.PublicKeys(rig.Key(key))}, Timeout: timeout,
		HostKeyCallback: ssh.FixedHostKey(rig.Key(serverKey).PublicKey()),
	})
	if err != nil {
		return nil, fmt.Errorf("%s connects: %w", name, err)
	}
	p := &person{
		name: name, client: client, changed: make(chan struct{}, 1),
		terminal: vt.NewEmulator(window.columns, window.rows), window: window,
	}
	p.terminal.SetCallbacks(vt.Callbacks{Title: func(title string) { p.title = title }})
	if err := p.begin(); err != nil {
		p.leave()
		return nil, fmt.Errorf("%s begins: %w", name, err)
	}
	return p, nil
}

// begin starts the game on a terminal with 24-bit colours.
func (p *person) begin() error {
	session, err := p.client.NewSession()
	if err != nil {
		return err
	}
	session.Stdout = p
	if p.keys, err = session.StdinPipe(); err != nil {
		return err
	}
	if err := session.Setenv("COLORTERM", "truecolor"); err != nil {
		return err
	}
	if err := session.RequestPty("xterm-256color", p.window.rows, p.window.columns, ssh.TerminalModes{}); err != nil {
		return err
	}
	return session.Shell()
}

func (p *person) leave() {
	_ = p.client.Close()
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

// lines returns the text of the screen, row by row.
func (p *person) lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Split(p.terminal.String(), "\n")
}

// press sends keys and waits until the screen contains all texts.
func (p *person) press(ctx context.Context, keys string, texts ...string) error {
	if _, err := io.WriteString(p.keys, keys); err != nil {
		return fmt.Errorf("%s presses %q: %w", p.name, keys, err)
	}
	return p.await(ctx, texts...)
}

// place types move until the screen shows it, then waits for texts. Boards ignore moves for a moment when they
// appear.
func (p *person) place(ctx context.Context, move string, texts ...string) error {
	for isPlaced := false; !isPlaced; {
		if err := p.press(ctx, move); err != nil {
			return err
		}
		again, cancel := context.WithTimeout(ctx, 400*time.Millisecond)
		isPlaced = p.await(again, move) == nil
		cancel()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return p.await(ctx, texts...)
}

func (p *person) await(ctx context.Context, texts ...string) error {
	return p.waitUntil(ctx, strings.Join(texts, " and "), func(lines []string) bool {
		all := strings.Join(lines, "\n")
		for _, text := range texts {
			if !strings.Contains(all, text) {
				return false
			}
		}
		return true
	})
}

// waitUntil waits until done accepts the lines of the screen. what names the condition in the error.
func (p *person) waitUntil(ctx context.Context, what string, done func(lines []string) bool) error {
	for {
		lines := p.lines()
		if done(lines) {
			return nil
		}
		select {
		case <-p.changed:
		case <-ctx.Done():
			return fmt.Errorf("%s waits for %s: %w; the screen is\n%s", p.name, what, ctx.Err(), strings.Join(lines, "\n"))
		}
	}
}

// shot returns the present screen with a name. lasts is its time in the film of the match.
func (p *person) shot(name string, lasts time.Duration) shot {
	p.mu.Lock()
	defer p.mu.Unlock()
	cells := make([][]render.Cell, p.window.rows)
	for y := range cells {
		cells[y] = make([]render.Cell, p.window.columns)
		for x := range cells[y] {
			cells[y][x] = toCell(p.terminal.CellAt(x, y))
		}
	}
	return shot{name: name, title: p.title, cells: cells, lasts: lasts}
}

func toCell(c *uv.Cell) render.Cell {
	s := c.Style
	return render.Cell{Glyph: c.Content, Style: render.Style{
		Foreground: s.Fg, Background: s.Bg, Bold: s.Attrs&uv.AttrBold != 0, Faint: s.Attrs&uv.AttrFaint != 0,
		Underline: s.Underline != 0, Reverse: s.Attrs&uv.AttrReverse != 0,
	}}
}
