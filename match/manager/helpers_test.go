package manager

import (
	"cmp"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Limits of package limit.
const (
	freeTries    = 20              // wrong codes or failed lookups of a player
	tryInterval  = 3 * time.Second // until one more
	sharedFactor = 2               // times as many tries of an address
	burstMinutes = 5               // minutes' worth of matches that may be started at once
)

func ann() match.Player  { return match.Player{ID: "SHA256:ann", Name: "ann"} }
func bob() match.Player  { return match.Player{ID: "SHA256:bob", Name: "bob"} }
func cleo() match.Player { return match.Player{ID: "SHA256:cleo", Name: "cleo"} }
func guy() match.Player  { return match.Player{ID: "guest:guy", Name: "guy", Guest: true} }

// harness is a manager under test. On synctest's clock its handles can be read without waiting.
type harness struct {
	*testing.T
	*Manager
	disk *unruly // below the journal of this node and its sisters, unless the test has a journal of its own
	book logBook // with the log, unless the test has one of its own
}

func newHarness(t *testing.T, cfg Config) *harness {
	t.Helper()
	h := &harness{T: t, disk: newUnruly()}
	cfg.Seed = cmp.Or(cfg.Seed, 7)
	cfg.Log = cmp.Or(cfg.Log, h.book.logger())
	if cfg.Journal == nil {
		cfg.Journal = &mortal{Store: h.disk}
	}
	h.Manager = New(cfg)
	return h
}

// inBubble runs a test on synctest's clock with a manager that is closed at its end.
func inBubble(t *testing.T, cfg Config, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := newHarness(t, cfg)
		defer func() { b.Close() }() // restart and skip replace the manager
		test(b)
	})
}

// open opens a match of two players. The first one moves first.
func (h *harness) open(first, second match.Player, v rules.Variant) match.ID {
	h.Helper()
	return h.openWith(match.Terms{Variant: v}, first, second)
}

func (h *harness) openWith(terms match.Terms, first, second match.Player) match.ID {
	h.Helper()
	id, _, err := h.tables.open(h.Context(), match.Opening{Terms: terms, Players: [2]match.Player{first, second}})
	h.must(err)
	return id
}

func (h *harness) sit(id match.ID, p match.Player) *Seat {
	h.Helper()
	seat, err := h.Sit(h.Context(), id, p.ID)
	h.must(err)
	return seat
}

// vsComputer seats p at a new match against the weakest computer.
func (h *harness) vsComputer(p match.Player, side rules.Side) *Seat {
	h.Helper()
	id, err := h.PlayComputer(h.Context(), p, match.DefaultTerms(), strategy.Random, side)
	h.must(err)
	return h.sit(id, p)
}

// pair returns two players seated at a new match.
func (h *harness) pair(v rules.Variant) (*Seat, *Seat) {
	h.Helper()
	id := h.open(ann(), bob(), v)
	return h.sit(id, ann()), h.sit(id, bob())
}

func (h *harness) play(seat *Seat, moves ...string) {
	h.Helper()
	for _, text := range moves {
		h.must(seat.Play(h.Context(), move(h.T, text)))
	}
}

func (h *harness) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// fails checks that err is want.
func (h *harness) fails(err, want error) {
	h.Helper()
	if !errors.Is(err, want) {
		h.Errorf("the error is %v, want %v", err, want)
	}
}

func errOf[T any](_ T, err error) error { return err }

func errOf3[T, U any](_ T, _ U, err error) error { return err }

// places returns the number of matches of a kind that count for p, once all goroutines are idle.
func (h *harness) places(p match.Player, kind seatKind) int {
	synctest.Wait()
	return h.tables.index.seats.count(p.ID, kind)
}

// sees returns the newest snapshot once all goroutines are idle. It fails without one.
func (h *harness) sees(r interface{ Snapshots() <-chan *match.Snapshot }) match.Snapshot {
	h.Helper()
	synctest.Wait()
	select {
	case s, open := <-r.Snapshots():
		if !open {
			h.Fatal("the mailbox is closed")
		}
		return *s
	default:
		h.Fatal("there is no snapshot")
		return match.Snapshot{}
	}
}

// seesNothing checks that no snapshot is waiting.
func (h *harness) seesNothing(r interface{ Snapshots() <-chan *match.Snapshot }) {
	h.Helper()
	synctest.Wait()
	select {
	case s, open := <-r.Snapshots():
		h.Fatalf("there is news: %+v (open %v)", s, open)
	default:
	}
}

// seesEnd checks that the mailbox is closed, with or without a last snapshot in it.
func (h *harness) seesEnd(r interface{ Snapshots() <-chan *match.Snapshot }) {
	h.Helper()
	synctest.Wait()
	for range 2 {
		select {
		case _, open := <-r.Snapshots():
			if !open {
				return
			}
		default:
		}
	}
	h.Fatal("the mailbox is open")
}

// logged folds the log of a match.
func (h *harness) logged(id match.ID) match.State {
	h.Helper()
	return replay(h.T, h.cfg.Journal, id)
}

// legal returns a legal move in the recorded position of a match.
func (h *harness) legal(id match.ID) rules.Move { return h.logged(id).Position.LegalMoves()[0] }

// rematch has both players agree on a rematch, and returns its match.
func (h *harness) rematch(one, other *Seat) match.ID {
	h.Helper()
	h.must(one.OfferRematch(h.Context()))
	h.must(other.OfferRematch(h.Context()))
	return h.sees(one).Next
}

// join presents a code.
func (h *harness) join(p match.Player, code match.Code) error {
	_, _, err := h.Join(h.Context(), p, code)
	return err
}

// kinds returns the kinds of a match's recorded events.
func (h *harness) kinds(id match.ID) []match.Kind {
	h.Helper()
	events, err := h.cfg.Journal.Load(h.Context(), id, 0)
	h.must(err)
	kinds := make([]match.Kind, len(events))
	for i, e := range events {
		kinds[i] = e.Kind
	}
	return kinds
}

func pass(d time.Duration) {
	<-time.After(d) // takes no time on synctest's clock
	synctest.Wait()
}

func move(t *testing.T, text string) rules.Move {
	t.Helper()
	m, err := rules.DefaultVariant().ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func boards(t testing.TB, n int) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// logBook is a logger with readable lines.
type logBook struct{ logbuffer.Text }

func (l *logBook) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func (i *index) tableCount() (n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, e := range i.matches {
		if e.table != nil {
			n++
		}
	}
	return n
}
