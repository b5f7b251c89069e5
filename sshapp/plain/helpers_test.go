package plain

import (
	"cmp"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/logbuffer"
	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// harness is a manager and the players who come to it, on synctest's clock.
type harness struct {
	*testing.T
	manager *manager.Manager
	store   *store.Store   // nil but in inBubbleWithHistory
	history *store.History // as well
	people  []*person
}

// person is one session: what is typed goes through a pipe, and what is heard is kept.
type person struct {
	*harness
	in   *io.PipeWriter
	out  *logbuffer.Text
	stop context.CancelCauseFunc
	err  error
	over chan struct{} // closed when the session has ended
}

// inBubble runs a test on synctest's clock with a manager that is closed at its end. Whatever goroutine a session left
// behind would fail the test: a bubble ends with all of them.
func inBubble(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubbleWith(t, manager.Config{}, test)
}

// noLimit is for tests in which nothing is about the time for a move.
const noLimit = 1000 * time.Hour

func inBubbleWith(t *testing.T, cfg manager.Config, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &harness{T: t}
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
	cfg.Seed, cfg.ComputerPause = 7, time.Second
	cfg.FirstMove, cfg.LaterMove = cmp.Or(cfg.FirstMove, noLimit), cmp.Or(cfg.LaterMove, noLimit)
	b.manager = manager.New(cfg)
}

func (b *harness) end() {
	for _, p := range b.people {
		_ = p.in.Close()
		<-p.over
		p.stop(nil)
	}
	b.people = nil
	b.manager.Close()
	synctest.Wait()
}

func ann() match.Player { return match.Player{ID: "SHA256:ann", Name: "ann"} }
func bob() match.Player { return match.Player{ID: "SHA256:bob", Name: "bob"} }
func guy() match.Player { return match.Player{ID: "guest:guy", Name: "guy", Guest: true} }

// come begins a session in the lobby, past its welcome.
func (b *harness) come(player match.Player) *person {
	p := b.open(Config{Player: player})
	p.out.Take()
	return p
}

func (b *harness) open(d Config) *person {
	in, typed := io.Pipe()
	ctx, stop := context.WithCancelCause(b.Context())
	p := &person{harness: b, in: typed, out: new(logbuffer.Text), stop: stop, over: make(chan struct{})}
	d.Manager, d.In, d.History = b.manager, in, cmp.Or(d.History, b.history)
	if d.Out == nil {
		d.Out = p.out
	}
	b.people = append(b.people, p)
	go func() {
		defer close(p.over)
		p.err = Serve(ctx, d)
		_ = in.Close()
	}()
	synctest.Wait()
	return p
}

// types enters lines, each after everything has come to rest.
func (p *person) types(lines ...string) {
	p.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			p.Fatalf("typing %q: %v", line, err)
		}
		synctest.Wait()
	}
}

// expects checks everything that was said since the last time.
func (p *person) expects(lines ...string) {
	p.Helper()
	synctest.Wait()
	want := strings.Join(lines, "\n")
	if len(lines) > 0 {
		want += "\n"
	}
	if got := p.out.Take(); got != want {
		p.Errorf("heard:\n%swant:\n%s", got, want)
	}
}

// skips forgets what was said.
func (p *person) skips() *person {
	synctest.Wait()
	p.out.Take()
	return p
}

// asked types a line and checks the answer to it.
func (p *person) asked(line string, answers ...string) {
	p.Helper()
	p.skips().types(line)
	p.expects(answers...)
}

// ended checks that the session is over.
func (p *person) ended() {
	p.Helper()
	synctest.Wait()
	select {
	case <-p.over:
	default:
		p.Fatal("the session goes on")
	}
}

func pass(d time.Duration) {
	<-time.After(d) // on synctest's clock: it takes no time
	synctest.Wait()
}

func boards(t testing.TB, n int) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// pair is two sessions at a match of two on so many boards, in which the first moves first.
func (b *harness) pair(n int) (first, second *person) {
	from := start.Start{At: start.Queue, Terms: match.Terms{Variant: boards(b.T, n)}}
	first, second = b.open(Config{Player: ann(), Start: from}), b.open(Config{Player: bob(), Start: from})
	first.skips()
	if first.types("turn"); !strings.Contains(first.out.Take(), "Your turn.") {
		first, second = second, first
	}
	first.skips()
	second.skips()
	return first, second
}

// against begins a session at a match with the computer in which the player moves first.
func (b *harness) against(level strategy.Level, v rules.Variant) *person {
	return b.open(Config{
		Player: ann(), Start: start.Start{
			At: start.Computer, Terms: match.Terms{Variant: v}, Level: level, Side: rules.First,
		},
	})
}
