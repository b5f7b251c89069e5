package journaltest

import (
	"strings"
	"testing"

	"notakto/match"
	"notakto/rules"
)

// Archive returns an in-memory journal with archived matches of ann and bob: each has the moves of its game, which must
// not be over, and was then resigned by bob.
func Archive(t testing.TB, games map[match.ID]string) *match.Memory {
	t.Helper()
	j := match.NewMemory(0)
	for id, text := range games {
		g, err := rules.ParseGame(text)
		if err != nil {
			t.Fatal(err)
		}
		events := []match.Event{
			{Kind: match.Opened, Terms: match.Terms{Variant: g.Variant}},
			{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "annannannannanna", Name: "ann"}, Node: "gone"},
			{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "bobbobbobbobbobb", Name: "bob"}, Node: "gone"},
		}
		for i, m := range g.Moves {
			events = append(events, match.Event{Kind: match.Moved, Seat: rules.Side(1 + i%2), Move: m})
		}
		for i, e := range append(events, match.Event{Kind: match.Resigned, Seat: rules.Second}) {
			e.Match, e.Seq = id, uint64(i+1)
			if _, err := j.Append(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Archive(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

// QuickSeed is a seed whose pair of openings is drawn among the first candidates. Most seeds take many times as
// long, and a season draws for each of hundreds of games.
const QuickSeed = "seed 26"

// SeasonPlayer returns the player of a name, of three letters, in [Season] and [Archive].
func SeasonPlayer(name string) match.Player {
	return match.Player{ID: match.PlayerID(strings.Repeat(name, 6)[:16]), Name: name}
}

// SeasonNames returns the players of a [Season], the best first.
func SeasonNames() []string {
	return []string{"hal", "ivy", "joe", "kim", "cyd", "eve", "ann", "gus", "lou", "bob"}
}

// Season returns an in-memory journal with archived pairs of ten players: each has played four against each other one:
// won the third against those behind, and split the others.
func Season(t testing.TB) *match.Memory {
	t.Helper()
	j := match.NewMemory(1 << 10)
	names := SeasonNames()
	for round := range 4 {
		for i, better := range names {
			for _, worse := range names[i+1:] {
				PlayPair(t, j, match.PeoplePool, match.ID(better+"-"+worse+"-"+string(rune('a'+round))), better, worse, round == 2)
			}
		}
	}
	return j
}

// PlayPair archives a pair of two players of [SeasonPlayer] in a pool, of which the first wins the first game, and
// perhaps the second.
func PlayPair(t testing.TB, j match.Journal, pool match.Pool, id match.ID, first, second string, isWon bool) {
	t.Helper()
	one := playGame(t, j, pool, id, match.FirstGame(QuickSeed), [2]string{first, second}, rules.Second)
	loser := rules.Second
	if isWon {
		loser = rules.First
	}
	playGame(t, j, pool, id+"-2", one.SecondGame(), [2]string{second, first}, loser)
}

// playGame archives a game that the player of a side resigns after one move, and returns its end.
func playGame(
	t testing.TB, j match.Journal, pool match.Pool, id match.ID, pair match.PairGame, players [2]string, loser rules.Side,
) (s match.State) {
	t.Helper()
	events := []match.Event{
		{Kind: match.Opened, Terms: match.RatedTerms(pool), Pair: pair},
		{Kind: match.Seated, Seat: rules.First, Player: SeasonPlayer(players[0]), Node: "gone"},
		{Kind: match.Seated, Seat: rules.Second, Player: SeasonPlayer(players[1]), Node: "gone"},
		{Kind: match.Moved, Seat: rules.First, Move: pair.Start.Legal()[0]},
		{Kind: match.Resigned, Seat: loser},
	}
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	if _, err := j.Append(t.Context(), events...); err != nil {
		t.Fatal(err)
	}
	if err := j.Archive(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	return Fold(t, events...)
}
