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
	"notakto/rules/puzzle"
	"notakto/sshapp/render"
	"notakto/sshapp/start"
)

// harness is a manager with the sessions of its players, on synctest's clock.
type harness struct {
	*testing.T
	manager *manager.Manager
	store   *store.Store   // only with inBubbleWithHistory
	history *store.History // only with inBubbleWithHistory
	moving  bool           // sessions begin with moments
	players []*person
	poller  Poller
	suffix  string          // added to the names of all players
	names   []string        // the names of all players, which a screen may cut
	told    map[string]bool // the cut texts that have been reported
}

// person is a session. Its Root runs as under Bubble Tea, but the test delivers the messages one at a time.
type person struct {
	*harness
	*Root
	news  chan tea.Msg
	taken int // the number of messages so far
	quit  bool
}

// alone returns a session that receives no messages but those of the test.
func alone(cfg Config) *Root {
	cfg.Send, cfg.Poller = func(tea.Msg) {}, new(Poller)
	return New(cfg)
}

// noLimit is the time for a move in tests without a limit.
const noLimit = 1000 * time.Hour

// inBubble runs a test on synctest's clock with a manager that is closed at the end.
func inBubble(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubbleWith(t, manager.Config{}, test)
}

func inBubbleWith(t *testing.T, cfg manager.Config, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		<-time.After(time.Until(begin))
		b := &harness{T: t, told: make(map[string]bool)}
		b.start(cfg)
		defer b.end()
		test(b)
	})
}

// inBubbleWithHistory is inBubble with a history and a function that restarts the server.
func inBubbleWithHistory(t *testing.T, test func(b *harness, restart func())) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		<-time.After(time.Until(begin))
		b := &harness{T: t}
		open := func() {
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
		open()
		defer func() { end() }()
		test(b, func() {
			end()
			open()
		})
	})
}

// begin is the time at which sessions begin, a Thursday with puzzle 149. It is later than the first daily puzzle.
var begin = puzzle.Begin(149).Add(12 * time.Hour)

func (b *harness) start(cfg manager.Config) {
	cfg.Seed = 7
	cfg.FirstMove, cfg.LaterMove = cmp.Or(cfg.FirstMove, noLimit), cmp.Or(cfg.LaterMove, noLimit)
	b.manager = manager.New(cfg)
}

// end closes all sessions and the manager. A goroutine that is left over would fail the test with its bubble.
func (b *harness) end() {
	for _, p := range b.players {
		p.Close()
	}
	b.players = nil
	b.manager.Close()
	synctest.Wait()
}

// keyed returns a player with a key.
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
	if b.store != nil {
		cfg.Progress = b.store.Progress()
	}
	p := &person{harness: b, news: make(chan tea.Msg, 100)}
	cfg.Poller = &b.poller
	cfg.Send = func(msg tea.Msg) { p.news <- msg }
	p.Root = New(cfg)
	p.env.settings.still = !b.moving
	b.players, b.names = append(b.players, p), append(b.names, cfg.Player.Name)
	p.run(p.Init())
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	return p
}

// run runs a command in a goroutine of its own, as Bubble Tea does.
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

// send delivers messages and waits until all players' messages that follow from them are delivered.
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

// rest delivers messages until all goroutines wait for time to pass.
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

// advance moves synctest's clock forward, a second at a time.
func (b *harness) advance(d time.Duration) {
	for ; d > 0; d -= time.Second {
		<-time.After(min(d, time.Second))
		b.rest()
	}
}

// press presses keys by name, separated by spaces, with pauses such as 2s. If an answer to the screen would come too
// soon, press waits before the key for a question, the result or the boards.
func (p *person) press(names string) *person {
	for name := range strings.FieldsSeq(names) {
		if p.pauses(name) {
			continue
		}
		if p.dialog != nil && p.dialog.isTooSoon() {
			p.advance(p.dialog.readTime)
		}
		if name == "y" && p.dialog == nil && p.isOfferShown() {
			p.advance(p.env.answerDelay())
		}
		if r, isResult := p.screen.(*resultScreen); isResult && time.Since(r.shownAt) < p.env.answerDelay() {
			p.advance(p.env.answerDelay())
		}
		if x, isExercise := p.screen.(*exerciseScreen); isExercise {
			p.advance(time.Until(x.shownAt.Add(p.env.answerDelay())))
		}
		if table, isTable := p.screen.(*tableScreen); isTable && p.dialog == nil && isPlacing(name) &&
			(table.isUnseen(p.env.attention.uncoveredAt) || table.isUnseen(table.switchedAt)) {
			p.advance(p.env.answerDelay())
		}
		p.send(keyPress(name))
	}
	return p
}

// pauses lets the time of a pause such as 2s pass.
func (b *harness) pauses(text string) bool {
	pause, err := time.ParseDuration(text)
	if err != nil || len(text) == 1 {
		return false
	}
	b.advance(pause)
	return true
}

func isPlacing(name string) bool {
	return name == "enter" || name == "space" || len(name) == 1 && name[0] >= '1' && name[0] <= '9'
}

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

func (p *person) resize(width, height int) { p.send(tea.WindowSizeMsg{Width: width, Height: height}) }

// sees returns the text of a person's screen. The text must fit into the window.
func (p *person) sees() string {
	p.Helper()
	content := p.View().Content
	mustFit(p, content, p.env.width, p.env.height)
	return content
}

// mustFit fails unless a frame has as many lines as the window, and no wider lines.
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

func (p *person) mustSee(texts ...string) {
	p.Helper()
	screen := p.sees()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			p.Fatalf("%s does not see %q:\n%s", p.env.player.Name, text, screen)
		}
	}
}

func (p *person) mustNotSee(texts ...string) {
	p.Helper()
	screen := p.sees()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			p.Fatalf("%s sees %q:\n%s", p.env.player.Name, text, screen)
		}
	}
}

// pair returns two people at a new table after some moves, the one with the first move first. The terms in text are a
// variant, and after a space a clock.
func (b *harness) pair(text string, moves ...string) (first, second *person) {
	b.Helper()
	variant, clock, isTimed := strings.Cut(text, " ")
	from := start.Start{At: start.Queue, Untimed: !isTimed}
	var err error
	from.Variant, err = rules.ParseVariant(variant)
	testkit.OK(b, err)
	if isTimed {
		from.Clock, err = match.ParseClock(clock)
		testkit.OK(b, err)
	}
	first, second = b.inOrder(b.comeTo(keyed("ann"), from), b.comeTo(keyed("bob"), from))
	b.play(first, second, moves...)
	return first, second
}

// rated returns two people at the first game of a rated pair, the one with the first move first.
func (b *harness) rated() (first, second *person) {
	b.Helper()
	from := start.Start{At: start.Queue, Terms: match.RatedTerms(match.PeoplePool)}
	return b.inOrder(b.comeTo(keyed("ann"), from), b.comeTo(keyed("bob"), from))
}

// inOrder returns two people at a table, the one to move first.
func (b *harness) inOrder(one, two *person) (first, second *person) {
	b.Helper()
	for _, p := range [2]*person{one, two} {
		if tableOf(p.screen) == nil {
			b.Fatalf("not at a table:\n%s", p.sees())
		}
	}
	if tableOf(one.screen).IsMyTurn() {
		return one, two
	}
	return two, one
}

// play makes both players move in turn, with pauses such as 2s. A capital letter goes to a board, and a digit places a
// mark.
func (b *harness) play(first, second *person, moves ...string) {
	b.Helper()
	mover, other := first, second
	for i, move := range moves {
		if b.pauses(move) {
			continue
		}
		for _, key := range move {
			mover.press(string(key))
		}
		if n := len(tableOf(mover.screen).Moves); n == 0 || tableOf(mover.screen).Moves[n-1].String() != move {
			b.Fatalf("move %d, %s, was not made:\n%s", i+1, move, mover.sees())
		}
		mover, other = other, mover
	}
}

func utf8Theme() *draw.Theme { return draw.NewTheme(draw.Auto, colorprofile.TrueColor, draw.Unicode) }

// drawn returns the bytes that draw a screen on a blank terminal.
func (r *Root) drawn() string {
	var grid render.Grid
	r.Render(&grid)
	screen := render.NewScreen(render.FromTerm("xterm-256color"), grid.Width(), grid.Height())
	return string(screen.Draw(nil, render.Frame{Grid: &grid}))
}
