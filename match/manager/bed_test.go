package manager

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/heard"
	"notakto/match"
	"notakto/rules"
)

func ann() match.Player  { return match.Player{ID: "SHA256:ann", Name: "ann"} }
func bob() match.Player  { return match.Player{ID: "SHA256:bob", Name: "bob"} }
func cleo() match.Player { return match.Player{ID: "SHA256:cleo", Name: "cleo"} }
func guy() match.Player  { return match.Player{ID: "guest:guy", Name: "guy", Guest: true} }

// bed is a manager under test, to be closed. On synctest's clock its readers can be asked what they see without waiting.
type bed struct {
	*testing.T
	*Manager
}

func newBed(t *testing.T, cfg Config) *bed {
	t.Helper()
	if cfg.Seed == 0 {
		cfg.Seed = 7
	}
	return &bed{T: t, Manager: New(cfg)}
}

// inBubble runs a test on synctest's clock with a manager that is closed at its end.
func inBubble(t *testing.T, cfg Config, test func(*bed)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, cfg)
		defer b.Close()
		test(b)
	})
}

// open opens a match of two players, the first of whom moves first.
func (b *bed) open(first, second match.Player, v rules.Variant) match.ID {
	b.Helper()
	id, _, err := b.Manager.open(b.Context(), match.Opening{Variant: v, Players: [2]match.Player{first, second}})
	b.must(err)
	return id
}

func (b *bed) sit(id match.ID, p match.Player) *Seat {
	b.Helper()
	seat, err := b.Sit(b.Context(), id, p.ID)
	b.must(err)
	return seat
}

// pair is two players seated at a new match.
func (b *bed) pair(v rules.Variant) (*Seat, *Seat) {
	b.Helper()
	id := b.open(ann(), bob(), v)
	return b.sit(id, ann()), b.sit(id, bob())
}

func (b *bed) play(seat *Seat, moves ...string) {
	b.Helper()
	for _, text := range moves {
		b.must(seat.Play(b.Context(), move(b.T, text)))
	}
}

func (b *bed) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// sees is the newest snapshot once everything has come to rest. The reader must have one waiting.
func (b *bed) sees(r interface{ Snapshots() <-chan *match.Snapshot }) match.Snapshot {
	b.Helper()
	synctest.Wait()
	select {
	case s, open := <-r.Snapshots():
		if !open {
			b.Fatal("the mailbox is closed")
		}
		return *s
	default:
		b.Fatal("there is no snapshot")
		return match.Snapshot{}
	}
}

// seesNothing checks that there is no news.
func (b *bed) seesNothing(r interface{ Snapshots() <-chan *match.Snapshot }) {
	b.Helper()
	synctest.Wait()
	select {
	case s, open := <-r.Snapshots():
		b.Fatalf("there is news: %+v (open %v)", s, open)
	default:
	}
}

// seesEnd checks that the mailbox is closed, with or without a last snapshot in it.
func (b *bed) seesEnd(r interface{ Snapshots() <-chan *match.Snapshot }) {
	b.Helper()
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
	b.Fatal("the mailbox is open")
}

// kinds are the events that the journal has of a match.
func (b *bed) kinds(id match.ID) []match.Kind {
	b.Helper()
	events, err := b.cfg.Journal.Read(b.Context(), id, 0)
	b.must(err)
	kinds := make([]match.Kind, len(events))
	for i, e := range events {
		kinds[i] = e.Kind
	}
	return kinds
}

func pass(d time.Duration) {
	<-time.After(d) // on synctest's clock: it takes no time
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

// logBook is a logger whose lines can be read.
type logBook struct{ heard.Text }

func (l *logBook) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }
