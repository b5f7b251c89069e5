package wording

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
)

func TestExerciseTexts(t *testing.T) {
	row := progress.Streak{Days: 12, Flawless: 1, HasFreeze: true}
	slip := progress.Slip{Opponent: match.Player{Name: "ivy"}, Ended: puzzle.Begin(147), Due: 160}
	slip.Position, slip.Played = rules.DefaultVariant().Start(), rules.Move{Board: 1, Cell: 9}
	gone := progress.Slip{Solved: 4}
	busy := progress.Day{Matches: 12, Solved: 3, Best: progress.BestRun{
		Player: match.Player{Name: "ivy"}, Run: progress.Run{Solved: 22},
	}}
	for _, test := range [][2]string{
		{DailyWaits(149, 0, row), "Daily 149 is new. Streak 12, one freeze"},
		{DailyWaits(149, 0, progress.Streak{}), "Daily 149 is new"},
		{DailyWaits(149, 2, row), "Daily 149 has 1 puzzle left. Streak 12, one freeze"},
		{DailyWaits(149, 3, row), ""},
		{DailyWaits(0, 0, row), ""},
		{Today(progress.Day{}), ""},
		{Today(busy), "Today: 12 matches, 3 solved the daily, ivy leads the rush with 22."},
		{strings.Join(DayForms(busy), "; "), "12 matches, 3 solved the daily, ivy leads the rush with 22; " +
			"12 matches, 3 dailies, ivy rushed 22; 12 matches, 3 dailies; 12 matches"},
		{Today(progress.Day{Solved: 1}), "Today: 1 solved the daily."},
		{SlipsWait(0), ""},
		{SlipsWait(1), "1 of your slips waits"},
		{SlipsWait(2), "2 of your slips wait"},
		{Flawless(row), ""},
		{Flawless(progress.Streak{Flawless: 3}), "3 days without a miss."},
		{NextDaily(6*time.Hour + 12*time.Minute), "Tomorrow's puzzles in 6 hours 12 minutes."},
		{NextDaily(0), "The next puzzles are there."},
		{SlipPrompt(slip), "From your match against ivy, Tuesday 24 November. You played B9 and could have won. " +
			"Find a move that wins."},
		{SlipComesBack(slip, 153), "Comes back in 7 days."},
		{SlipComesBack(gone, 153), "Solved 4 times in a row: gone for good."},
		{FoundIt(progress.Share{Right: 1, All: 1}), ""},
		{FoundIt(progress.Share{Right: 61, All: 140}), "61 of 140 found it."},
		{RushBest(0, 0), ""},
		{RushBest(22, 31), "Best today 22, ever 31."},
		{SolvedText(1, 0), "1 puzzle solved."},
		{SolvedText(2, 3), "You solved 2 of 3."},
		{Week([]Mark{Right, Right, Wrong, Open}, false), "M ✓  T ✓  W ✗  T ·"},
		{Week([]Mark{Right, Right, Wrong, Open}, true), "M +  T +  W x  T -"},
		{WeekInWords([]Mark{Right, Open, Wrong, Open, Open, Open, Right}),
			"This week: all right on Monday, a miss on Wednesday, all right on Sunday."},
		{WeekInWords(make([]Mark, 7)), ""},
		{DailyShareLine(149, []Mark{Right, Wrong, Right}, 12, "example.org", false),
			"Notakto daily 149  ✓✗✓  streak 12  ssh -t example.org daily"},
		{DailyShareLine(149, []Mark{Right, Wrong, Right}, 1, NoHost, true), "Notakto daily 149  +x+"},
	} {
		testkit.Equal(t, test[0], test[1])
	}
}

// The text on a wrong answer names the reply that wins and the move that would have won. The text on a right answer
// names no other move.
func TestAnswers(t *testing.T) {
	for day := 1; day < 40; day++ {
		all, err := puzzle.Day(day)
		testkit.OK(t, err)
		for _, p := range all {
			for _, m := range p.Position().LegalMoves() {
				a, err := p.Check(m)
				testkit.OK(t, err)
				text, move := Answer(a), p.Position().Variant().FormatMove(m)
				clearest := p.Position().Variant().FormatMove(a.Clearest.Move) + " wins"
				reply, isRefuted := a.Review.Refutation()
				switch {
				case !strings.HasSuffix(text, "."):
					t.Errorf("%v, %s: %q", p, move, text)
				case a.IsRight():
					if !strings.HasPrefix(text, move+" wins") {
						t.Errorf("%v, %s: %q", p, move, text)
					}
				case !strings.Contains(text, ". "+clearest):
					t.Errorf("%v, %s: %q does not say %q", p, move, text, clearest)
				case isRefuted && !strings.HasPrefix(text, move+" lets your opponent win with "+
					p.Position().Variant().FormatMove(reply)+"."):
					t.Errorf("%v, %s: %q", p, move, text)
				}
			}
		}
	}
	one, _ := rules.ParsePosition("XX.....X.")
	a, err := puzzle.Check(one, rules.Move{Cell: 9})
	if err != nil || a.Review.VerdictAfter == strategy.Win ||
		!strings.HasPrefix(Answer(a), "A9 ends the match, and you lose. ") {
		t.Errorf("a line on the last board: %q, %v", Answer(a), err)
	}
}
