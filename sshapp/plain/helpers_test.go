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
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// harness is a manager and its players, on the clock of synctest.
type harness struct {
	*testing.T
	manager *manager.Manager
	people  []*person

	// Only in inBubbleWithStore: the store, its directory, and how far its clock is ahead of the clock of synctest.
	store *store.Store
	dir   string
	ahead time.Duration
}

// person is one session with a pipe for its input. Its output is kept.
type person struct {
	*harness
	in   *io.PipeWriter
	out  *logbuffer.Text
	stop context.CancelCauseFunc
	err  error
	over chan struct{} // closed when the session has ended
}

// inBubble runs a test on the clock of synctest with a manager that is closed at the end. A goroutine left by a
// session fails the test, because a bubble waits for all of its goroutines.
func inBubble(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubbleWith(t, manager.Config{}, test)
}

// noLimit turns the limit of a move off, for tests of other things.
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

// inBubbleWithStore is inBubble with a store.
func inBubbleWithStore(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubbleAt(t, time.Time{}, test)
}

// onMonday is inBubbleWithStore with a clock that shows noon of day 146 of the puzzles, a Monday.
func onMonday(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubbleAt(t, puzzle.Begin(146).Add(12*time.Hour), test)
}

func inBubbleAt(t *testing.T, now time.Time, test func(*harness)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := &harness{T: t, dir: dir}
		if !now.IsZero() {
			b.ahead = time.Until(now)
		}
		b.openStore()
		defer b.closeStore()
		test(b)
	})
}

// laterJournal is a store with a clock that is ahead of the clock of synctest.
type laterJournal struct {
	*store.Store
	ahead time.Duration
}

func (j laterJournal) Now() time.Time { return time.Now().Add(j.ahead) }

func (b *harness) openStore() {
	b.store = testkit.OpenStore(b, b.dir)
	b.start(manager.Config{Journal: laterJournal{b.store, b.ahead}})
}

func (b *harness) closeStore() {
	b.end()
	testkit.OK(b, b.store.Close())
}

// restart ends all sessions and the server, which is down for a while.
func (b *harness) restart(down time.Duration) {
	b.closeStore()
	pass(down)
	b.openStore()
}

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

// come begins a session in the lobby and skips its welcome.
func (b *harness) come(player match.Player) *person {
	p := b.open(Config{Player: player})
	p.out.Take()
	return p
}

func (b *harness) open(d Config) *person {
	in, typed := io.Pipe()
	ctx, stop := context.WithCancelCause(b.Context())
	p := &person{harness: b, in: typed, out: new(logbuffer.Text), stop: stop, over: make(chan struct{})}
	d.Manager, d.In = b.manager, in
	if b.store != nil {
		d.History = b.store.History()
	}
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

// types enters lines. It waits before each until all goroutines are blocked.
func (p *person) types(lines ...string) {
	p.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			p.Fatalf("typing %q: %v", line, err)
		}
		synctest.Wait()
	}
}

// expects checks the lines printed since the last check.
func (p *person) expects(lines ...string) {
	p.Helper()
	synctest.Wait()
	want := strings.Join(lines, "\n")
	if len(lines) > 0 {
		want += "\n"
	}
	testkit.Equal(p, p.out.Take(), want)
}

// skips drops the lines printed since the last check.
func (p *person) skips() *person {
	synctest.Wait()
	p.out.Take()
	return p
}

// asked types a line and checks the answer.
func (p *person) asked(line string, answers ...string) {
	p.Helper()
	p.skips().types(line)
	p.expects(answers...)
}

// asksFor types a line and checks that the answer has all parts.
func (p *person) asksFor(line string, parts ...string) {
	p.Helper()
	p.skips().types(line)
	p.hears(parts...)
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

// hears checks that all parts were printed since the last check.
func (p *person) hears(parts ...string) {
	p.Helper()
	synctest.Wait()
	testkit.Contains(p, p.out.Take(), parts...)
}

func pass(d time.Duration) {
	<-time.After(d) // on the clock of synctest, in no real time
	synctest.Wait()
}

func boards(t testing.TB, n int) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(n)
	testkit.OK(t, err)
	return v
}

// meet returns two sessions that the queue has paired, in the order of their seats.
func (b *harness) meet(terms match.Terms) (first, second *person) {
	from := start.Start{At: start.Queue, Terms: terms}
	first, second = b.open(Config{Player: ann(), Start: from}), b.open(Config{Player: bob(), Start: from})
	first.skips()
	if first.types("turn"); !strings.Contains(first.out.Take(), "Your turn.") {
		first, second = second, first
	}
	return first.skips(), second.skips()
}

// pair returns two sessions in a match on n boards.
func (b *harness) pair(n int) (first, second *person) {
	return b.meet(match.Terms{Variant: boards(b.T, n)})
}

// against returns a session in a match against the computer, with the first move.
func (b *harness) against(level strategy.Level, v rules.Variant) *person {
	return b.open(Config{
		Player: ann(), Start: start.Start{
			At: start.Computer, Terms: match.Terms{Variant: v}, Level: level, Side: rules.First,
		},
	})
}
