package progress

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/rules/puzzle"
)

// answersOf returns answers to the puzzles of days from the first one on. A letter of days is r for three right
// answers, w for a wrong one among them, p for two answers only, and - for none.
func answersOf(first int, days string) (all []Answer) {
	for i, letter := range days {
		n := map[rune]int{'r': puzzle.PerDay, 'w': puzzle.PerDay, 'p': puzzle.PerDay - 1}[letter]
		for index := range n {
			all = append(all, Answer{Day: first + i, Index: index, Right: letter != 'w' || index != 1})
		}
	}
	return all
}

func TestStreak(t *testing.T) {
	const first = 150
	for days, want := range map[string]Streak{
		"":                  {},
		"r":                 {Days: 1, Flawless: 1},
		"w":                 {Days: 1},
		"p":                 {},
		"rr-":               {Days: 2, Flawless: 2}, // today has no answer yet
		"rr--":              {},
		"rrpr":              {Days: 1, Flawless: 1},
		"rwrr":              {Days: 4, Flawless: 2},
		"rrrrrrr":           {Days: 7, Flawless: 7, HasFreeze: true},
		"rrrrrrr-":          {Days: 7, Flawless: 7, HasFreeze: true},
		"rrrrrrr--":         {Days: 7, Flawless: 7}, // the freeze of the missed day
		"rrrrrrr---":        {},
		"rrrrrrr-w":         {Days: 8},
		"rrrrrrr-r-r":       {Days: 1, Flawless: 1},
		"rrrrrrr-rrrrrr":    {Days: 13, Flawless: 13},
		"rrrrrrr-rrrrrrr":   {Days: 14, Flawless: 14, HasFreeze: true},
		"rrrrrrrrrrrrrr--":  {Days: 14, Flawless: 14}, // no second freeze is held
		"rrrrrrrrrrrrrr-r-": {Days: 15, Flawless: 15},
	} {
		s := State{Answers: answersOf(first, days)}
		if got := s.Streak(first + len(days) - 1); got != want {
			t.Errorf("%q: the streak is %+v, want %+v", days, got, want)
		}
	}
	s := State{Answers: answersOf(first, "rrrrr")}
	if got := s.Streak(first + 2); got != (Streak{Days: 3, Flawless: 3}) {
		t.Errorf("with answers of later days: %+v", got)
	}
}

// A row lasts from midnight to midnight in UTC.
func TestStreakAtMidnight(t *testing.T) {
	midnight := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	s := State{Answers: answersOf(puzzle.Number(midnight.Add(-time.Second)), "r")}
	east := time.FixedZone("UTC+14", 14*60*60)
	for after, want := range map[time.Duration]int{
		-time.Second: 1, 0: 1, 24*time.Hour - time.Second: 1, 24 * time.Hour: 0,
	} {
		if got := s.Streak(puzzle.Number(midnight.Add(after).In(east))); got.Days != want {
			t.Errorf("%v after midnight the row has %d days, want %d", after, got.Days, want)
		}
	}
}

func TestSchedule(t *testing.T) {
	ended := time.Date(2026, 11, 27, 23, 59, 0, 0, time.UTC)
	day := puzzle.Number(ended)
	s := NewSlip(ended)
	for i, step := range []struct {
		right     bool
		days, row int
	}{{true, 3, 1}, {true, 7, 2}, {false, 1, 0}, {true, 3, 1}, {true, 7, 2}, {true, 21, 3}, {true, 1, 4}} {
		if i == 0 && s.Due != day+1 {
			t.Errorf("a new slip is due on day %d, want %d", s.Due, day+1)
		}
		day = s.Due + i // later than it is due
		if s = s.Answer(step.right, day); s.Due != day+step.days || s.Solved != step.row || s.IsGone() != (step.row == 4) {
			t.Errorf("after answer %d on day %d: %+v", i+1, day, s)
		}
		if !s.wasAnsweredOn(day) || s.wasAnsweredOn(day+1) {
			t.Errorf("answer %d was on another day: %+v", i+1, s)
		}
	}
}

// At most ten slips are offered in a day, the newest first, and those of the day that are answered already count.
func TestWaitingSlips(t *testing.T) {
	ended := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	today := puzzle.Number(ended) + 1
	var s State
	for i := range 14 {
		slip := NewSlip(ended)
		slip.Match = match.ID(rune('a' + i))
		s.Slips = append(s.Slips, slip)
	}
	s.Slips[0] = NewSlip(ended.Add(24 * time.Hour)) // due tomorrow
	s.Slips[1].Solved = len(schedule)
	if got := s.WaitingSlips(today); len(got) != SlipsADay || got[0].Match != "c" || got[9].Match != "l" {
		t.Errorf("%d slips wait: %+v", len(got), got)
	}
	for i := range 4 {
		s.Slips[2+i] = s.Slips[2+i].Answer(i > 0, today)
	}
	if got := s.WaitingSlips(today); len(got) != SlipsADay-4 || got[0].Match != "g" {
		t.Errorf("after four answers %d slips wait: %+v", len(got), got)
	}
	if got := s.WaitingSlips(today + 1); len(got) != 10 || got[1].Match != "c" {
		t.Errorf("tomorrow %d slips wait: %+v", len(got), got)
	}
	if got := s.WaitingSlips(today - 1); len(got) != 0 {
		t.Errorf("yesterday %d slips waited", len(got))
	}
}

func TestBestRunsAndAnswersOfADay(t *testing.T) {
	s := State{Runs: []Run{{Day: 3, Solved: 9}, {Day: 4, Solved: 5}}, Answers: answersOf(8, "rpw")}
	if s.BestOn(4) != 5 || s.BestOn(5) != 0 || s.BestEver() != 9 || (State{}).BestEver() != 0 {
		t.Errorf("the best runs are %d, %d and %d", s.BestOn(4), s.BestOn(5), s.BestEver())
	}
	if got := s.AnswersOn(9); !got[0].Right || !got[1].Right || got[2] != (Answer{}) {
		t.Errorf("the answers are %+v", got)
	}
}
