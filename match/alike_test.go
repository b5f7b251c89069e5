package match

import (
	"testing"

	"notakto/rules"
)

// Two players of one name sat at a table, and nobody could tell whose turn it was.
func TestPlayersOfOneNameAreToldApart(t *testing.T) {
	inBubble(t, Config{TellApart: func(p, other Player) Player {
		if p.Name == other.Name {
			p.Name += "#" + string(p.ID)
		}
		return p
	}}, func(b *bed) {
		ann, double := ann(), Player{ID: "SHA256:double", Name: "ann"}
		id, code := b.private(ann)
		if _, _, err := b.Join(b.Context(), double, code); err != nil {
			t.Fatal(err)
		}
		s := b.sees(b.sit(id, ann))
		if mine, theirs := s.Chair(s.Side(ann.ID)).Player, s.Chair(s.Side(double.ID)).Player; mine.Name != "ann" || theirs.Name != "ann#SHA256:double" {
			t.Errorf("they are called %q and %q", mine.Name, theirs.Name)
		}
		s = b.sees(b.sit(b.open(ann, double, rules.DefaultVariant()), ann))
		if first, second := s.Chair(rules.First).Player.Name, s.Chair(rules.Second).Player.Name; first == second {
			t.Errorf("both are called %q", first)
		}
	})
}

// Guests are somebody new at every login, and had twenty more wrong codes each time.
func TestWrongCodesCountForAllFromOnePlace(t *testing.T) {
	inBubble(t, Config{Source: func(p PlayerID) string {
		if p == "elsewhere" {
			return ""
		}
		return "192.0.2.1/32"
	}}, func(b *bed) {
		for i := range freeGuesses {
			_, _, _ = b.Join(b.Context(), Player{ID: PlayerID(rune('a' + i))}, "CCCC")
		}
		if _, _, err := b.Join(b.Context(), Player{ID: "late"}, "CCCC"); !isErr(err, ErrGuessing) {
			t.Errorf("got %v", err)
		}
		if _, _, err := b.Join(b.Context(), Player{ID: "elsewhere"}, "CCCC"); !isErr(err, ErrNoSuchTable) {
			t.Errorf("got %v", err)
		}
	})
}

// Guests got round the limit of matches in the same way.
func TestSeatsCountForAllFromOnePlace(t *testing.T) {
	inBubble(t, Config{MaxSeats: 2, Source: func(PlayerID) string { return "192.0.2.1/32" }}, func(b *bed) {
		b.private(Player{ID: "a"})
		b.private(Player{ID: "b"})
		if _, _, err := b.OpenPrivate(b.Context(), Player{ID: "c"}, rules.DefaultVariant()); !isErr(err, ErrTooMany) {
			t.Errorf("got %v", err)
		}
	})
}
