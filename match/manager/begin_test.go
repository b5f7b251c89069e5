package manager

import (
	"strings"
	"testing"
	"testing/synctest"

	"notakto/match"
	"notakto/rules"
)

// Three appends opened a match once. A server killed between two of them left one player alone at a table for ever.
func TestAMatchBeginsWithOneAppend(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		computer := b.vsComputer(guy(), rules.First).ID()
		private, _ := b.private(cleo())
		one, other := b.queued(ann(), bob())
		b.must(one.Resign(b.Context()))
		rematch := b.rematch(one, other)
		for id, want := range map[match.ID]int{computer: 3, private: 2, one.ID(): 3, rematch: 3} {
			if b.disk.begun[id] != want {
				b.Errorf("%s began with %d events, want %d: %v", id, b.disk.begun[id], want, b.kinds(id))
			}
		}
	})
}

// Matches half opened by a killed older version are closed soon after the start, and count against no player's
// limit.
func TestMatchesThatWereHalfOpenedAreCleared(t *testing.T) {
	opened := match.Event{Kind: match.Opened, Terms: match.DefaultTerms()}
	for name, events := range map[string][]match.Event{
		"without players":   {opened},
		"with the first":    {opened, {Kind: match.Seated, Seat: rules.First, Player: ann(), Node: "gone"}},
		"with the second":   {opened, {Kind: match.Seated, Seat: rules.Second, Player: ann(), Node: "gone"}},
		"with the computer": {opened, {Kind: match.Seated, Seat: rules.First, Player: match.Computer(1)}},
		"with an absent player": {
			opened, {Kind: match.Seated, Seat: rules.First, Player: ann(), Node: "gone"}, {Kind: match.Left, Seat: rules.First},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newHarness(t, Config{})
				defer b.Close()
				for i, e := range events {
					e.Match, e.Seq = "half", uint64(i+1)
					b.must(errOf(b.disk.Append(t.Context(), e)))
				}
				pass(match.EntryTTL + 2*heartbeatInterval + joinTimeout)
				kinds := b.kinds("half")
				if last := kinds[len(kinds)-1]; last != match.Cancelled || len(b.PlayerMatches(ann().ID)) > 0 {
					b.Errorf("the log has the kinds %v, ann has %v", kinds, b.PlayerMatches(ann().ID))
				}
				if text := b.book.String(); strings.Contains(text, "WARN") {
					b.Error(text)
				}
			})
		})
	}
}
