package tui

import (
	"fmt"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/match/rating"
)

func TestTheLadderAndYouFollowTheHistory(t *testing.T) {
	inBubble(t, func(b *harness) {
		store := journaltest.Season(b, testkit.Store(b))
		record := store.History()
		kim, ivy := journaltest.SeasonPlayer("kim"), journaltest.SeasonPlayer("ivy")
		look, list := b.comeAs(Config{Player: kim, History: record}), b.comeAs(Config{Player: ivy, History: record})
		defer look.Close()
		defer list.Close()
		look.mustSee("72 matches", "you are 4th")
		look.press("6 down")
		list.press("7 down")
		ladder, you := look.screen.(*ladderScreen), list.screen.(*youScreen)
		before, chosen, there := ladder.own, you.rows[1].Match, ladder.rows[ladder.row].Player.Name
		look.mustSee(before.Rating.String()+" ", "4th of 10", "won  split   lost")
		list.mustSee("72 matches:")
		// Kim and Zoe have not yet played all the pairs that count on one day.
		journaltest.PlayPair(b, store, match.PeoplePool, "kim-zoe", "kim", "zoe", true)
		journaltest.PlayPair(b, store, match.PeoplePool, "kim-ivy-e", "kim", "ivy", true)
		b.advance(pollInterval + time.Second)
		here := ladder.rows[ladder.row].Player.Name
		if after := ladder.own.Rating; after.Points <= before.Rating.Points || here != there {
			b.Errorf("the rating is %v, and the chosen row %s", after, here)
		}
		look.mustSee(ladder.own.Rating.String() + " ")
		list.mustSee("74 matches:")
		testkit.Equal(b, you.row, 3)
		testkit.Equal(b, you.rows[3].Match, chosen)
		journaltest.PlayPair(b, store, match.PeoplePool, "kim-ivy-f", "kim", "ivy", true)
		list.press("q")
		b.advance(pollInterval + time.Second)
		testkit.Equal(b, you.record.totals.Matches, 74, "a screen that was left reads the history")
		look.press("esc")
		look.resize(200, 60)
		look.mustSee(ladder.rows[0].Player.Name + " ") // a large lobby has the best players
	})
}

func TestTheComputersAreRungsOfTheLadder(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		first, second := b.rated()
		first.press("r y").mustNotSee("1500?")
		b.advance(match.SecondGameDelay)
		first.press("r y")
		second.press("enter") // the rating stays
		for _, size := range sizes() {
			first.resize(size[0], size[1])
			first.mustSee("1500? → 1338? (-162)", "0–2", "rematch")
		}
		second.mustSee("1500? → 1662? (+162)", "2–0", "1 of 8 pairs for the ladder", "rated, game 2 of 2")
		first.press("esc 7").mustSee("Rating 1500? → 1338? (-162), 1 of 8 pairs for the ladder.")
		name := second.env.player.Name
		ladder := second.press("esc 6").screen.(*ladderScreen)
		rows := ladder.rows
		if len(rows) != 7 || rows[1].Player.Name != "sharp" || rows[2].Player.Name != name || ladder.row != 2 {
			t.Errorf("the rows are %+v", rows)
		}
		for _, size := range sizes() {
			second.resize(size[0], size[1])
			second.mustSee("The ladder is empty.", "Rating 1662", name, "1662?", "perfect")
			second.mustNotSee("…")
		}
		second.resize(80, 24)
		second.press("esc 2").mustSee("Levels and ratings", "you      1662?")
	})
}

// ladderOf returns a ladder with more players than a small window has lines.
func ladderOf() (all []history.Standing) {
	names := []string{"hal", "ivy", "joe", "kim", "cyd", "a name of sixteen", "ann", "gus", "lou"}
	for i := range 30 {
		s := history.Standing{
			Pool: match.PeoplePool, Player: match.Player{ID: match.PlayerID(fmt.Sprint("p", i)),
				Name: names[i%len(names)]},
			Rating: rating.New(), Won: 40 - i, Split: 9, Lost: 5 + i, Rank: i +
				1, Players: 30, Ended: time.UnixMilli(1),
		}
		s.Rating.Points, s.Rating.Deviation = 1_702_000-i*21_000, 60_000
		all = append(all, s)
	}
	return all
}
