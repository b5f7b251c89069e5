package manager

import (
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

func (h *harness) private(host match.Player) (match.ID, match.Code) {
	h.Helper()
	id, code, err := h.OpenPrivate(h.Context(), host, match.DefaultTerms())
	h.must(err)
	return id, code
}

func TestPrivateTable(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, code := b.private(ann())
		host := b.sit(id, ann())
		if s := b.sees(host); s.HasStarted() || s.Code != code || s.Turn() != rules.NoSide {
			b.Errorf("the host sees %+v", s)
		}
		b.fails(host.Play(b.Context(), move(b.T, "A5")), match.ErrNotStarted)
		b.fails(b.join(ann(), code), match.ErrOwnTable)
		got, player, err := b.Join(b.Context(), bob(), match.Code(" "+strings.ToLower(string(code))+" "))
		if err != nil || got != id || player != bob() {
			b.Fatalf("bob joins: %s %+v %v", got, player, err)
		}
		guest := b.sit(id, bob())
		if s := b.sees(host); !s.HasStarted() || s.Code != "" || guest.Side() != host.Side().Other() {
			b.Errorf("with bob the host sees %+v", s)
		}
		b.fails(b.join(bob(), code), match.ErrOwnTable)
		b.fails(b.join(cleo(), code), match.ErrTableFull)
		b.must(host.Resign(b.Context()))
		b.fails(b.join(cleo(), code), match.ErrNoSuchTable)
	})
}

func TestPrivateTableIsClearedWhenTheHostIsGone(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, code := b.private(ann())
		host := b.sit(id, ann())
		pass(2 * time.Hour)
		host.Close()
		pass(grace - 1)
		if ids := b.PlayerMatches(ann().ID); !slices.Equal(ids, []match.ID{id}) {
			b.Fatalf("ann has %v", ids)
		}
		pass(1)
		b.fails(b.join(bob(), code), match.ErrNoSuchTable)
		want := []match.Kind{match.Opened, match.Seated, match.Left, match.Cancelled}
		if kinds := b.kinds(id); !slices.Equal(kinds, want) || len(b.PlayerMatches(ann().ID)) > 0 {
			b.Errorf("the log has the kinds %v, ann has %v", kinds, b.PlayerMatches(ann().ID))
		}
	})
}

// A player who joins while the host is away starts the match. Then the host's absence counts as in any match.
func TestJoinWhileTheHostIsAway(t *testing.T) {
	inBubble(t, Config{Seed: 5}, func(b *harness) {
		id, code := b.private(ann())
		host := b.sit(id, ann())
		host.Close()
		pass(grace - time.Second)
		b.must(b.join(bob(), code))
		guest := b.sit(id, bob())
		if host.Side() == rules.Second {
			b.play(guest, "A5")
		}
		checkEndsAt(b, id, time.Now().Add(grace), guest.Side())
	})
}

// A host who closes the table need not wait for the grace period.
func TestHostClearsTheTable(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, code := b.private(ann())
		host := b.sit(id, ann())
		b.must(host.Resign(b.Context()))
		if s := b.sees(host); !s.Closed || !s.IsOver() || s.Outcome.IsOver() {
			b.Errorf("the host sees %+v", s)
		}
		b.fails(b.join(bob(), code), match.ErrNoSuchTable)
		b.fails(host.Resign(b.Context()), match.ErrMatchOver)
		b.fails(host.OfferRematch(b.Context()), match.ErrNotStarted)
		host.Close()
		pass(DefaultLinger)
		if strings.Contains(b.book.String(), "level=WARN") || b.tables.index.tableCount() > 0 {
			b.Errorf("the table does not rest: %s", b.book.String())
		}
	})
}
