package manager

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A player who seeks at another node has one ticket: there, at its old position. The session at the first node is
// notified.
func TestTicketsMove(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(here *harness) {
		there := newHarness(here.T, Config{Journal: j, Seed: 8})
		defer there.Close()
		first := here.seek(ann(), rules.TicTacToe())
		since, _ := here.status(first)
		pass(time.Second)
		second := there.seek(ann(), rules.TicTacToe())
		if status, open := here.status(first); open || !status.Moved || status.Match != "" {
			here.Errorf("the first window is told %+v (open %v)", status, open)
		}
		if status, open := there.status(second); !open || status.Waiting != 1 || !status.Since.Equal(since.Since) {
			here.Errorf("the second window is told %+v (open %v), the first was %+v", status, open, since)
		}
		third := here.seek(ann(), rules.DefaultVariant())
		if status, open := there.status(second); open || !status.Moved {
			here.Errorf("the second window is told %+v (open %v)", status, open)
		}
		if w := here.Lobby().Waiting(""); w.Count != 1 || w.First[0].Accepts[0] != match.DefaultTerms() {
			here.Errorf("ann waits for %+v", w)
		}
		bob := there.seek(bob(), rules.DefaultVariant())
		mine, _ := here.status(third)
		his, _ := there.status(bob)
		if mine.Match == "" || mine.Match != his.Match {
			here.Errorf("ann got %+v, bob %+v", mine, his)
		}
	})
}

// A player paired at a node that fails before the table is opened finds the match at another node.
func TestPromisesMove(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		b.put(nodeKey+string(farNode), []byte("up"), 0)
		b.put(seekKey(ann().ID),
			[]byte(`{"version":1,"player":{"ID":"SHA256:ann","Name":"ann"},"variant":"notakto/3","node":"`+
				string(farNode)+`","match":"promised","side":1,"other":{"ID":"SHA256:bob","Name":"bob"},"away":"dead too"}`), 0)
		seek := b.seek(ann(), rules.TicTacToe())
		if status, open := b.status(seek); open || status.Match != "promised" {
			b.Fatalf("ann is told %+v (open %v)", status, open)
		}
		if s := b.sees(b.sit("promised", ann())); s.Side(ann().ID) != rules.First || s.Side(bob().ID) != rules.Second {
			b.Errorf("the table is laid as %+v", s)
		}
	})
}

// A node used to rewrite the tickets of newer nodes, without the fields that it did not know.
func TestTicketsOfANewerVersionAreLeftAlone(t *testing.T) {
	var book logBook
	inBubble(t, Config{Log: book.logger()}, func(b *harness) {
		newer := `{"version":4,"player":{"ID":"SHA256:ann","Name":"ann"},"variant":["notakto/3"],"node":"` +
			string(farNode) + `","clock":"3+2"}`
		note := b.put(seekKey(ann().ID), []byte(newer), 0)
		seek := b.seek(bob(), rules.DefaultVariant())
		pass(match.EntryTTL - time.Second)
		if status, open := b.status(seek); !open || status.Match != "" || status.Waiting != 1 {
			b.Errorf("bob is told %+v (open %v)", status, open)
		}
		if _, err := b.Lobby().Seek(b.Context(), ann(), match.DefaultTerms()); !isErr(err, match.ErrAlreadySeeking) {
			b.Errorf("ann takes a second place: %v", err)
		}
		b.cfg.Registry.Watch(func(n match.Entry) {
			if n.Key == note.Key && (string(n.Text) != newer || n.Revision != note.Revision) {
				b.Errorf("the place is %s now", n.Text)
			}
		})
		if text := book.String(); strings.Contains(text, "WARN") {
			b.Error(text)
		}
	})
}

// seekKey returns the registry key of a player's ticket.
func seekKey(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return "seek." + hex.EncodeToString(sum[:16])
}
