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

	"notakto/sshapp/render"
)

// person is someone at a terminal, connected by SSH.
type person struct {
	name    string
	client  *ssh.Client
	window  size
	keys    io.Writer
	changed chan struct{} // holds a value when the screen has changed

	mu       sync.Mutex
	terminal *vt.Emulator
	title    string
}

func (g *gameServer) enter(name string, number byte, window size) (*person, error) {
	key, err := keyOf(number)
	if err != nil {
		return nil, err
	}
	own, err := keyOf(serverKey)
	if err != nil {
		return nil, err
	}
	client, err := ssh.Dial("tcp", g.address, &ssh.ClientConfig{
		User: name, Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.FixedHostKey(own.PublicKey()),
		Timeout: timeout,
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

// begin starts the game on a terminal with all colours.
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
	_ = p.terminal.Close() // the server may still send its exit message
}

// Write draws the server's output on the screen.
func (p *person) Write(sent []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default: // already signalled
	}
	return p.terminal.Write(sent)
}

// lines returns the text of the screen.
func (p *person) lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Split(p.terminal.String(), "\n")
}

// does presses keys and waits until the screen contains every text.
func (p *person) does(ctx context.Context, keys string, texts ...string) error {
	if _, err := io.WriteString(p.keys, keys); err != nil {
		return fmt.Errorf("%s presses %q: %w", p.name, keys, err)
	}
	return p.sees(ctx, texts...)
}

// places makes a move, and again until the screen has it: boards that have just come up take none.
func (p *person) places(ctx context.Context, move string, texts ...string) error {
	for isPlaced := false; !isPlaced; {
		if err := p.does(ctx, move); err != nil {
			return err
		}
		again, cancel := context.WithTimeout(ctx, 400*time.Millisecond)
		isPlaced = p.sees(again, move) == nil
		cancel()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return p.sees(ctx, texts...)
}

func (p *person) sees(ctx context.Context, texts ...string) error {
	return p.waits(ctx, strings.Join(texts, " and "), func(lines []string) bool {
		all := strings.Join(lines, "\n")
		for _, text := range texts {
			if !strings.Contains(all, text) {
				return false
			}
		}
		return true
	})
}

// waits waits until the screen fulfils a condition.
func (p *person) waits(ctx context.Context, what string, done func(lines []string) bool) error {
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

// shot returns the present screen.
func (p *person) shot(name string, lasts time.Duration) shot {
	p.mu.Lock()
	defer p.mu.Unlock()
	cells := make([][]render.Cell, p.window.rows)
	for y := range cells {
		cells[y] = make([]render.Cell, p.window.columns)
		for x := range cells[y] {
			cells[y][x] = cellOf(p.terminal.CellAt(x, y))
		}
	}
	return shot{name: name, title: p.title, cells: cells, lasts: lasts}
}

func cellOf(c *uv.Cell) render.Cell {
	s := c.Style
	return render.Cell{Glyph: c.Content, Style: render.Style{
		Foreground: s.Fg, Background: s.Bg, Bold: s.Attrs&uv.AttrBold != 0, Faint: s.Attrs&uv.AttrFaint != 0,
		Underline: s.Underline != 0, Reverse: s.Attrs&uv.AttrReverse != 0,
	}}
}
