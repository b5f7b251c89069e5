package journaltest

import (
	"strings"
	"testing"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/opening"
)

// Archive adds archived matches of ann and bob to a journal, and returns the journal. The moves of games are played,
// and then bob resigns. The games must not be over.
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

// QuickSeed is a seed with a pair of openings among the first candidates. Most seeds take many times as long, and a
// season draws hundreds of openings.
const QuickSeed = "seed 26"

// SeasonPlayer returns the player with a name of three letters.
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

// SeasonGames returns the games of ten players. Every two players have played four pairs. The better player of
// [SeasonNames] won the third one, and the remaining pairs were split.
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

// PlayPair archives the games of [Pair] in a journal.
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

// Pair returns the two games of a pair of [SeasonPlayer] names in a pool. first wins the first game, and with isWon
// the second game too.
func Pair(pool match.Pool, id match.ID, first, second string, isWon bool) []Game {
	one, loser := match.FirstGame(QuickSeed), rules.Second
	if isWon {
		loser = rules.First
	}
	two := match.PairGame{
		Seed: QuickSeed, Start: opening.Draw(QuickSeed)[1], First: id, OtherWinner: rules.Second,
	}
	return []Game{
		gameOf(pool, id, one, [2]string{first, second}, rules.Second),
		gameOf(pool, id+"-2", two, [2]string{second, first}, loser),
	}
}

// DaysPair returns the events that begin both games of a pair of [SeasonPlayer] names with a clock of days. The games
// are id and id + "-2". first begins the first game.
func DaysPair(t testing.TB, id match.ID, first, second string) (all []match.Event) {
	t.Helper()
	terms, err := match.RatedTerms(match.PeoplePool), error(nil)
	if terms.Clock, err = match.Correspondence(1); err != nil {
		t.Fatal(err)
	}
	one := match.FirstGame(QuickSeed)
	two := match.PairGame{Seed: QuickSeed, Start: opening.Draw(QuickSeed)[1], First: id}
	begin := func(id match.ID, pair match.PairGame, first, second string) []match.Event {
		return []match.Event{
			{Match: id, Seq: 1, Kind: match.Opened, Terms: terms, Origin: match.ChallengeOrigin, Pair: pair},
			{Match: id, Seq: 2, Kind: match.Seated, Seat: rules.First, Player: SeasonPlayer(first), Node: "gone"},
			{Match: id, Seq: 3, Kind: match.Seated, Seat: rules.Second, Player: SeasonPlayer(second), Node: "gone"},
		}
	}
	named := match.Event{Match: id, Seq: 4, Kind: match.Rematched, Next: id + "-2"}
	return append(append(begin(id, one, first, second), named), begin(id+"-2", two, second, first)...)
}

// gameOf returns a game that the player of side loser resigns after one move.
func gameOf(pool match.Pool, id match.ID, pair match.PairGame, players [2]string, loser rules.Side) Game {
	events := []match.Event{
		{Kind: match.Opened, Terms: match.RatedTerms(pool), Pair: pair},
		{Kind: match.Seated, Seat: rules.First, Player: SeasonPlayer(players[0]), Node: "gone"},
		{Kind: match.Seated, Seat: rules.Second, Player: SeasonPlayer(players[1]), Node: "gone"},
		{Kind: match.Moved, Seat: rules.First, Move: pair.Start.LegalMoves()[0]},
		{Kind: match.Resigned, Seat: loser},
	}
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	return Game{id, events}
}
