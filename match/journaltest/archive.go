package journaltest

import (
	"strings"
	"testing"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/opening"
)

// Archive adds archived matches of ann and bob to a journal, and returns the journal. In each match the moves of its
// game are played, and then bob resigns. The games must not be over.
func Archive[J match.Journal](t testing.TB, j J, games map[match.ID]string) J {
	t.Helper()
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

// QuickSeed is a seed whose pair of openings is among the first candidates. Most seeds take many times as long, and a
// season draws hundreds of openings.
const QuickSeed = "seed 26"

// SeasonPlayer returns the player of a name of three letters.
func SeasonPlayer(name string) match.Player {
	return match.Player{ID: match.PlayerID(strings.Repeat(name, 6)[:16]), Name: name}
}

// SeasonNames returns the players of [SeasonGames], the best first.
func SeasonNames() []string {
	return []string{"hal", "ivy", "joe", "kim", "cyd", "eve", "ann", "gus", "lou", "bob"}
}

// Game is the log of a match that is over.
type Game struct {
	ID     match.ID
	Events []match.Event
}

// SeasonGames returns the games of the pairs of ten players. Each has played four pairs against each other player, won
// the third one against those behind, and split the others.
func SeasonGames() (all []Game) {
	names := SeasonNames()
	for round := range 4 {
		for i, better := range names {
			for _, worse := range names[i+1:] {
				id := match.ID(better + "-" + worse + "-" + string(rune('a'+round)))
				all = append(all, Pair(match.PeoplePool, id, better, worse, round == 2)...)
			}
		}
	}
	return all
}

// Season archives the games of [SeasonGames] in a journal, and returns the journal.
func Season[J match.Journal](t testing.TB, j J) J {
	t.Helper()
	archive(t, j, SeasonGames())
	return j
}

// PlayPair archives a [Pair].
func PlayPair(t testing.TB, j match.Journal, pool match.Pool, id match.ID, first, second string, isWon bool) {
	t.Helper()
	archive(t, j, Pair(pool, id, first, second, isWon))
}

func archive(t testing.TB, j match.Journal, games []Game) {
	t.Helper()
	for _, g := range games {
		if _, err := j.Append(t.Context(), g.Events...); err != nil {
			t.Fatal(err)
		}
		if err := j.Archive(t.Context(), g.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// Pair returns the games of a pair of two players of [SeasonPlayer] in a pool. The first player wins the first game,
// and perhaps the second.
func Pair(pool match.Pool, id match.ID, first, second string, isWon bool) []Game {
	one, loser := match.FirstGame(QuickSeed), rules.Second
	if isWon {
		loser = rules.First
	}
	two := match.PairGame{
		Seed: QuickSeed, Start: opening.Draw(QuickSeed)[1], First: id, FirstWinner: rules.Second,
	}
	return []Game{
		gameOf(pool, id, one, [2]string{first, second}, rules.Second),
		gameOf(pool, id+"-2", two, [2]string{second, first}, loser),
	}
}

// gameOf returns a game that the player of a side resigns after one move.
func gameOf(pool match.Pool, id match.ID, pair match.PairGame, players [2]string, loser rules.Side) Game {
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
	return Game{id, events}
}
