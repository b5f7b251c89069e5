package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/match/rating"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// finishedAs is a session of the player who has won some matches, and its history.
func finishedAs(t *testing.T, games map[match.ID]string) Config {
	t.Helper()
	j := journaltest.Archive(t, games)
	store, err := history.Start(history.Config{}, j)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	<-store.Current()
	m := manager.New(manager.Config{Seed: 1, Journal: j})
	t.Cleanup(m.Close)
	var winner match.Player
	for id := range games {
		events, err := j.Load(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		winner = events[1].Player
	}
	return Config{Player: winner, Manager: m, History: store, Theme: utf8Theme(), Start: start.Start{}}
}

func TestYou(t *testing.T) {
	games := map[match.ID]string{}
	for i := range 20 {
		games[match.ID(fmt.Sprintf("match%02d", i))] = "notakto/3: A5 B5 C1"
	}
	r := New(finishedAs(t, games))
	defer r.Close()
	you := newYou(r.env)
	r.screen = you
	r.Update(you.enter()())
	if you.record.totals.Matches != 20 || you.record.totals.Won != 20 || len(you.record.matches) != 20 ||
		you.state != loaded {
		t.Fatalf("the screen has %+v", you.record.totals)
	}
	r.env.width, r.env.height = 80, 24
	for _, want := range []string{"20 matches: 20 won.", "7 more"} {
		if text := r.View().Content; !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for range 30 {
		r.Update(keyPress("down"))
	}
	if you.row != 19 {
		t.Errorf("row %d", you.row)
	}
	r.Update(keyPress("up"))
	last := you.record.matches[18].Match
	_, cmd := r.Update(keyPress("enter"))
	at, ok := cmd().(seated)
	if !ok || at.table.ID != last || !at.table.IsWatching() {
		t.Errorf("Enter leads to %+v", at)
	}
	if _, again := r.Update(keyPress("enter")); again != nil {
		t.Error("a second Enter opens a second match")
	}

	// Esc led to a result that the player never asked for, and from there to the first screen.
	r.Update(at)
	replay, ok := r.screen.(*resultScreen)
	if !ok {
		t.Fatalf("Enter shows %T", r.screen)
	}
	r.Update(reviewed{at.table, strategy.Review(at.table.Start, at.table.Moves)})
	if _, ok := r.screen.(*reviewScreen); !ok {
		t.Fatalf("the match is shown by %T", r.screen)
	}
	r.Update(keyPress("esc"))
	if r.screen != you || you.row != 18 || you.state != loaded {
		t.Errorf("Esc leads from the review to %T, row %d", r.screen, you.row)
	}
	if to, _ := replay.press(keyPress("esc")); to != (toYou{you}) {
		t.Errorf("Esc leads from the result to %+v", to)
	}
}

// A player who had just ended a match did not find it, and nothing on the screen told of what else an account has.
func TestYouSaysWhenAMatchIsListedAndHowToLookAfterTheAccount(t *testing.T) {
	for _, test := range []struct {
		width, ended int
		host, want   string
	}{
		{80, 0, "HOST", "A match is listed once both have left. Your name, keys and data: ssh HOST me"},
		{80, 0, "-p 2222 example.org", "Name, keys, data: ssh -p 2222 example.org me"},
		{80, 1, "-p 2222 example.org", "A match is listed once both have left."},
		{40, 0, "HOST", "Name, keys, data: ssh HOST me"},
		{40, 0, "-p 2222 example.org", "A match is listed once both have left."},
		{40, 1, "HOST", "A match is listed once both have left."},
	} {
		s := &env{player: keyed("ann"), host: test.host, width: test.width, height: 24, ended: test.ended}
		if got, _ := newYou(s).notice(); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if got, _ := newYou(&env{player: guest("guy"), width: 80}).notice(); got != "" {
		t.Errorf("a guest, who has no account, reads %q", got)
	}
}

// The ladder opens at the player's own line.
func TestLadder(t *testing.T) {
	j := journaltest.Season(t)
	store, err := history.Start(history.Config{}, j)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	<-store.Current()
	m := manager.New(manager.Config{Seed: 1, Journal: j})
	t.Cleanup(m.Close)
	r := New(Config{Player: journaltest.SeasonPlayer("kim"), Manager: m, History: store, Theme: utf8Theme()})
	defer r.Close()
	ladder := newLadder(r.env)
	r.screen = ladder
	r.Update(ladder.enter()())
	if len(ladder.best) != 10 || ladder.row != 3 || ladder.own.Rank != 4 || ladder.best[3] != ladder.own {
		t.Fatalf("the screen has %+v, and is at %d", ladder.own, ladder.row)
	}
	for range 12 {
		r.Update(keyPress("down"))
	}
	if ladder.row != 9 {
		t.Errorf("row %d", ladder.row)
	}
	r.env.width, r.env.height = 40, 16
	text := r.View().Content
	if strings.Contains(text, "…") || !strings.Contains(text, "of 10.") || !strings.Contains(text, "scroll") {
		t.Errorf("a line is cut, or a key is missing:\n%s", text)
	}
	r.env.width, r.env.height = 80, 24
	ladder.best = ladder.best[:1]
	ladder.row = 0
	if text = r.View().Content; strings.Contains(text, "scroll") || !strings.Contains(text, "won  split   lost") {
		t.Errorf("there is nothing to scroll, or the columns have no names:\n%s", text)
	}
}

// The ladder and the player's own matches follow what is added to the history while they are shown, and the chosen row
// stays where it is.
func TestTheLadderAndYouFollowTheHistory(t *testing.T) {
	inBubble(t, func(b *harness) {
		j := journaltest.Season(b)
		store, err := history.Start(history.Config{}, j)
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = store.Close() }()
		<-store.Current()
		kim, ivy := journaltest.SeasonPlayer("kim"), journaltest.SeasonPlayer("ivy")
		look, list := b.comeAs(Config{Player: kim, History: store}), b.comeAs(Config{Player: ivy, History: store})
		defer look.Close()
		defer list.Close()
		look.press("6 down")
		list.press("7 down")
		ladder, you := look.screen.(*ladderScreen), list.screen.(*youScreen)
		before, chosen := ladder.own, you.record.matches[1].Match
		look.mustSee(before.Rating.String()+" ", "4th of 10")
		list.mustSee("72 matches:")
		journaltest.PlayPair(b, j, "kim-zoe", "kim", "zoe", true) // who has not met today as often as counts
		journaltest.PlayPair(b, j, "kim-ivy-e", "kim", "ivy", true)
		b.advance(listEvery + time.Second)
		if after := ladder.own.Rating; after.Points <= before.Rating.Points || ladder.best[ladder.row].Player.Name != "cyd" {
			b.Errorf("the rating is %v, and the chosen row %+v", after, ladder.best[ladder.row])
		}
		look.mustSee(ladder.own.Rating.String() + " ")
		list.mustSee("74 matches:")
		if you.row != 3 || you.record.matches[3].Match != chosen {
			b.Errorf("row %d is chosen", you.row)
		}
		journaltest.PlayPair(b, j, "kim-ivy-f", "kim", "ivy", true)
		list.press("q")
		b.advance(listEvery + time.Second)
		if you.record.totals.Matches != 74 {
			b.Error("a screen that was left reads the history")
		}
	})
}

// ladderOf is a ladder of more players than a small window has lines.
func ladderOf() (all []history.Standing) {
	names := []string{"hal", "ivy", "joe", "kim", "cyd", "a name of sixteen", "ann", "gus", "lou"}
	for i := range 30 {
		s := history.Standing{
			Pool: match.PeoplePool, Player: match.Player{ID: match.PlayerID(fmt.Sprint("p", i)), Name: names[i%len(names)]},
			Rating: rating.New(), Won: 40 - i, Split: 9, Lost: 5 + i, Rank: i + 1, Players: 30, Ended: time.UnixMilli(1),
		}
		s.Rating.Points, s.Rating.Deviation = 1_702_000-i*21_000, 60_000
		all = append(all, s)
	}
	return all
}

// finishedMatches is a history of one match more than a small window has lines.
func finishedMatches() record {
	opponents := []string{"bob", "cleo", "steady", "a name of sixteen"}
	r := record{totals: history.Totals{Matches: 24, Won: 11, Lost: 10, Chances: 70, Kept: 51}, standing: ladderOf()[6]}
	for i := range 24 {
		e := history.Entry{
			Match: match.ID(fmt.Sprint(i)), Terms: match.Terms{Variant: rules.DefaultVariant()},
			Side: rules.First, Opponent: keyed(opponents[i*i%7%len(opponents)]),
			Winner: rules.Side(i % 3), Reason: "boards", Plies: 9 + i%5,
			Ended: time.Now().Add(time.Duration(-7*i) * time.Hour),
		}
		if i%3 == 0 {
			e.Variant, e.Reason, e.Plies = rules.TicTacToe(), "draw", 9
		}
		r.matches = append(r.matches, e)
	}
	return r
}

// A wide window has the opponents beside the matches, those played most often first, and counts their results.
func TestOpponents(t *testing.T) {
	entry := func(name string, winner rules.Side) history.Entry {
		return history.Entry{Side: rules.First, Opponent: keyed(name), Winner: winner}
	}
	got := recordsOf([]history.Entry{
		entry("bob", rules.First), entry("cleo", rules.Nobody), entry("cleo", rules.Second), entry("cleo", rules.First),
		entry("cleo", rules.First),
	})
	want := []opponentRecord{{"cleo", 2, 1, 1}, {"bob", 1, 0, 0}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The first screen says how many matches the player has finished, and a place on the ladder.
func TestTheLobbyKnowsThePlayer(t *testing.T) {
	r := New(finishedAs(t, map[match.ID]string{"match00": "notakto/3: A5 B5 C1", "match01": "notakto/3: A5 B5 C1"}))
	defer r.Close()
	r.env.width, r.env.height = 80, 24
	lobby := newLobby(r.env, r.matches)
	r.screen = lobby
	r.Update(readOwnRecord(t.Context(), r.env.commands.history, r.env.player.ID))
	lobby.own.standing.Rank = 7
	lobby.own.best = ladderOf()[:ladderShown]
	const first = "1  hal               1702"
	if text := r.View().Content; strings.Contains(text, first) {
		t.Errorf("the ladder is in\n%s", text)
	}
	r.env.width, r.env.height = 120, 40
	for _, want := range []string{"2 matches", "you are 7th", first, "On one empty board, take the centre."} {
		if text := r.View().Content; !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
