package tui

import (
	"cmp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/tui/draw"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
)

// harness is a manager and the players who come to it, on synctest's clock.
type harness struct {
	*testing.T
	manager *manager.Manager
	store   *store.Store   // nil but in inBubbleWithHistory
	history *store.History // as well
	moving  bool           // whether sessions begin with moments
	players []*person
	suffix  string          // of the names of all players
	names   []string        // of all players, which may be cut
	told    map[string]bool // what is cut and is no name
}

// person is one env: its program, run the way Bubble Tea would, but one message at a time.
type person struct {
	*harness
	*Root
	news  chan tea.Msg
	taken int // messages so far
	quit  bool
}

// noLimit is for tests in which nothing is about the time for a move.
const noLimit = 1000 * time.Hour

// inBubble runs a test on synctest's clock with a manager that is closed at its end.
func inBubble(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubbleWith(t, manager.Config{}, test)
}

func inBubbleWith(t *testing.T, cfg manager.Config, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &harness{T: t, told: make(map[string]bool)}
		b.start(cfg)
		defer b.end()
		test(b)
	})
}

// inBubbleWithHistory is inBubble with a history, and a function that restarts the server.
func inBubbleWithHistory(t *testing.T, test func(b *harness, restart func())) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := &harness{T: t}
		begin := func() {
			b.store = testkit.OpenStore(t, dir)
			b.history = b.store.History()
			b.start(manager.Config{Journal: b.store})
		}
		end := func() {
			b.end()
			if err := b.store.Close(); err != nil {
				t.Error(err)
			}
		}
		begin()
		defer func() { end() }()
		test(b, func() {
			end()
			begin()
		})
	})
}

// start starts the manager.
func (b *harness) start(cfg manager.Config) {
	cfg.Seed = 7
	cfg.FirstMove, cfg.LaterMove = cmp.Or(cfg.FirstMove, noLimit), cmp.Or(cfg.LaterMove, noLimit)
	b.manager = manager.New(cfg)
}

// end closes everything. Whatever goroutine it left behind would fail the test: a bubble ends with all of them.
func (b *harness) end() {
	for _, p := range b.players {
		p.Close()
	}
	b.players = nil
	b.manager.Close()
	synctest.Wait()
}

// keyed is a player with a key.
func keyed(name string) match.Player {
	return match.Player{ID: match.PlayerID("SHA256:" + name), Name: name}
}

func guest(name string) match.Player {
	return match.Player{ID: match.PlayerID("guest:" + name), Name: name, Guest: true}
}

// come begins a session in a window of 80x24.
func (b *harness) come(player match.Player) *person { return b.comeTo(player, start.Start{}) }

func (b *harness) comeTo(player match.Player, from start.Start) *person {
	return b.comeAs(Config{Player: player, Start: from})
}

func (b *harness) comeAs(cfg Config) *person {
	cfg.Player.Name += b.suffix
	cfg.Manager, cfg.Theme = b.manager, draw.NewTheme(draw.Auto, colorprofile.TrueColor, draw.Unicode)
	cfg.History = cmp.Or(cfg.History, b.history)
	p := &person{harness: b, news: make(chan tea.Msg, 100), Root: New(cfg)}
	p.env.settings.still = !b.moving
	b.players, b.names = append(b.players, p), append(b.names, cfg.Player.Name)
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
	p.taken++
	_, cmd := p.Update(msg)
	p.run(cmd)
	p.mustBeWhole()
}

// rest waits until nothing moves without time going by.
func (b *harness) rest() {
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

// advance lets time go by on synctest's clock, a second at a time.
func (b *harness) advance(d time.Duration) {
	for ; d > 0; d -= time.Second {
		<-time.After(min(d, time.Second))
		b.rest()
	}
}

// press presses keys by name, separated by blanks.
func (p *person) press(names string) {
	for name := range strings.FieldsSeq(names) {
		if p.dialog != nil && p.dialog.isTooSoon() { // the player reads the question
			p.advance(p.dialog.readTime)
		}
		if r, isResult := p.screen.(*resultScreen); isResult && time.Since(r.shownAt) < p.env.answerDelay() { // or the result
			p.advance(p.env.answerDelay())
		}
		if table, isTable := p.screen.(*tableScreen); isTable && p.dialog == nil && isPlacing(name) &&
			(table.isUnseen(p.env.attention.uncoveredAt) || table.isUnseen(table.switchedAt)) { // or the boards
			p.advance(p.env.answerDelay())
		}
		p.send(keyPress(name))
	}
}

// isPlacing reports whether a key places a mark at a table.
func isPlacing(name string) bool {
	return name == "enter" || name == "space" || len(name) == 1 && name[0] >= '1' && name[0] <= '9'
}

// keyPress is the message of a key by its name.
func keyPress(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp,
		"down": tea.KeyDown, "left": tea.KeyLeft,
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

// sees is the text of a person's screen, which must fit into the window.
func (p *person) sees() string {
	p.Helper()
	content := p.View().Content
	mustFit(p, content, p.env.width, p.env.height)
	return content
}

// line is one line of a person's screen, counted from 0.
func (p *person) line(y int) string { return strings.Split(p.sees(), "\n")[y] }

// mustFit fails unless a frame has exactly the window's lines, none of them wider than it.
func mustFit(tb testing.TB, content string, width, height int) {
	tb.Helper()
	lines := strings.Split(content, "\n")
	if len(lines) != height {
		tb.Fatalf("%d lines in a window of %d:\n%s", len(lines), height, content)
	}
	for i, line := range lines {
		if wide := ansi.StringWidth(line); wide > width {
			tb.Fatalf("line %d is %d wide in a window of %d: %q", i, wide, width, line)
		}
	}
}

// mustSee fails unless every text is on the screen.
func (p *person) mustSee(texts ...string) {
	p.Helper()
	screen := p.sees()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			p.Fatalf("%s does not see %q:\n%s", p.env.player.Name, text, screen)
		}
	}
}

// mustNotSee fails if one of the texts is on the screen.
func (p *person) mustNotSee(texts ...string) {
	p.Helper()
	screen := p.sees()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			p.Fatalf("%s sees %q:\n%s", p.env.player.Name, text, screen)
		}
	}
}

// pair is two people at a new table; the first one moves first. The terms are a variant, and behind a space a clock.
func (b *harness) pair(text string) (first, second *person) {
	b.Helper()
	variant, clock, _ := strings.Cut(text, " ")
	v, err := rules.ParseVariant(variant)
	if err != nil {
		b.Fatal(err)
	}
	terms := match.Terms{Variant: v}
	if clock != "" {
		if terms.Clock, err = match.ParseClock(clock); err != nil {
			b.Fatal(err)
		}
	}
	one := b.comeTo(keyed("ann"), start.Start{At: start.Queue, Terms: terms, Untimed: clock == ""})
	two := b.comeTo(keyed("bob"), start.Start{At: start.Queue, Terms: terms, Untimed: clock == ""})
	for _, p := range [2]*person{one, two} {
		if tableOf(p.screen) == nil {
			b.Fatalf("not paired:\n%s", p.sees())
		}
	}
	if tableOf(one.screen).IsMyTurn() {
		return one, two
	}
	return two, one
}

// play has both play moves in turn: capital letters go to a board, digits place.
func (b *harness) play(first, second *person, moves ...string) {
	b.Helper()
	for i, move := range moves {
		mover := [2]*person{first, second}[i%2]
		for _, key := range move {
			mover.press(string(key))
		}
		if n := len(tableOf(mover.screen).Moves); n == 0 || tableOf(mover.screen).Moves[n-1].String() != move {
			b.Fatalf("move %d, %s, was not made:\n%s", i+1, move, mover.sees())
		}
	}
}

func utf8Theme() *draw.Theme { return draw.NewTheme(draw.Auto, colorprofile.TrueColor, draw.Unicode) }

// drawn is what a terminal without any picture is sent for a screen.
func (r *Root) drawn() string {
	var grid render.Grid
	r.Render(&grid)
	screen := render.NewScreen(render.FromTerm("xterm-256color"), grid.Width(), grid.Height())
	return string(screen.Draw(nil, render.Frame{Grid: &grid}))
}
