// Package progress defines what an account has done beside its matches, such as answers to the puzzles of a day,
// runs, slips and lessons. Package store keeps these values, and front ends show them. Days are numbered by
// [puzzle.Number], in UTC. The package starts no goroutine, and reads no clock.
package progress

import (
	"errors"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/puzzle"
)

// ErrNoSlip says that an account has no such slip. [MaxSlips] newer ones may have taken its place.
var ErrNoSlip = errors.New("there is no such slip")

const (
	// MaxSlips is the number of slips that the store keeps of an account, the newest ones.
	MaxSlips = 100
	// SlipsADay is the largest number of slips that an account is offered in a day.
	SlipsADay = 10
	// Lessons is the number of lessons. The first lesson is 1.
	Lessons = 6
)

// State holds all progress of an account. The zero State belongs to a new account or to a guest.
type State struct {
	Answers []Answer         // to the puzzles of all days, in the order of Day and Index
	Runs    []Run            // the best run of each day, the oldest day first
	Slips   []Slip           // the newest first. Slips that are solved for good are included.
	Lessons [Lessons + 1]int // Lessons[n] is the number of steps done of lesson n. Index 0 is unused.
	Visited bool             // whether the first visit is over
}

// Answer is the answer of an account to a puzzle of a day. Only the first answer to a puzzle is recorded.
type Answer struct {
	Day   int // from [puzzle.Number]
	Index int // of the puzzle in its day, from 0 to [puzzle.PerDay] - 1
	Move  rules.Move
	Right bool
	At    time.Time
}

// Run is a run against the clock.
type Run struct {
	Day    int
	Solved int // number of puzzles
	At     time.Time
}

// BestRun is the best run of a player on a day.
type BestRun struct {
	Player match.Player // only ID and Name, as others see the player
	Run
}

// Share counts the answers of all accounts to a puzzle of a day.
type Share struct{ Right, All int }

// Slip is a move of a finished match that gave a won position away. The player is asked for a better
// move in that position, again and again after longer pauses. A wrong answer makes the pauses short again.
type Slip struct {
	Match    match.ID
	Ply      int          // of the wrong move, counted from 1
	Opponent match.Player // only ID and Name, as others see the player
	Ended    time.Time    // when the match ended
	Position rules.Position
	Played   rules.Move // the wrong move
	Solved   int        // right answers in a row
	Due      int        // first day to offer the slip
}

// Day sums up the results of a day on all servers that share the database.
type Day struct {
	Matches int     // that ended, without void ones
	Solved  int     // accounts with a right answer to each puzzle of the day
	Best    BestRun // the best run, zero without one
}

// schedule[n] is the number of days until a slip with n right answers in a row is offered.
var schedule = [...]int{1, 3, 7, 21}

// NewSlip returns a slip of a match that ended at a time, without Match, Ply, Opponent, Position and Played.
func NewSlip(ended time.Time) Slip {
	return Slip{Ended: ended, Due: puzzle.Number(ended) + schedule[0]}
}

// Answer returns s after an answer on a day, with a later Due. A wrong answer begins the schedule again.
func (s Slip) Answer(right bool, today int) Slip {
	s.Solved++
	if !right {
		s.Solved = 0
	}
	s.Due = today + s.pause()
	return s
}

// pause returns the days from the last answer, or from the end of the match, to Due. For wasAnsweredOn, a slip that is
// gone has a pause too.
func (s Slip) pause() int {
	if s.IsGone() {
		return 1
	}
	return schedule[s.Solved]
}

// IsGone reports whether the slip is solved for good.
func (s Slip) IsGone() bool { return s.Solved >= len(schedule) }

// wasAnsweredOn reports whether the last answer to the slip was on a day. The result is false for the day when the
// match ended, because a slip is first due on a later day.
func (s Slip) wasAnsweredOn(day int) bool {
	return s.Due-s.pause() == day && puzzle.Number(s.Ended) != day
}

// WaitingSlips returns the slips to offer today, the newest first. Slips that were answered today count towards
// [SlipsADay].
func (s State) WaitingSlips(today int) []Slip {
	var waiting []Slip
	left := SlipsADay
	for _, slip := range s.Slips {
		switch {
		case slip.wasAnsweredOn(today):
			left--
		case slip.Due <= today && !slip.IsGone():
			waiting = append(waiting, slip)
		}
	}
	return waiting[:max(0, min(left, len(waiting)))]
}

// NextSlip returns the first day after today on which a slip waits, or 0.
func (s State) NextSlip(today int) (day int) {
	for _, slip := range s.Slips {
		if due := max(slip.Due, today+1); !slip.IsGone() && (day == 0 || due < day) {
			day = due
		}
	}
	return day
}

// AnswersOn returns the answers to the puzzles of a day. A puzzle without an answer has the zero Answer.
func (s State) AnswersOn(day int) (all [puzzle.PerDay]Answer) {
	for _, a := range s.Answers {
		if a.Day == day && 0 <= a.Index && a.Index < len(all) {
			all[a.Index] = a
		}
	}
	return all
}

// BestOn returns the number of puzzles solved in the best run of a day, 0 without one.
func (s State) BestOn(day int) int {
	for _, r := range s.Runs {
		if r.Day == day {
			return r.Solved
		}
	}
	return 0
}

// BestEver returns the number of puzzles solved in the best run, 0 without one.
func (s State) BestEver() int {
	best := 0
	for _, r := range s.Runs {
		best = max(best, r.Solved)
	}
	return best
}

// freezeEvery is the number of days of a row that earn a freeze.
const freezeEvery = 7

// Streak is a row of days with all their puzzles answered. The row ends today, or yesterday while a puzzle of today
// has no answer. A missed day uses a freeze, and breaks the row if the player holds no freeze.
type Streak struct {
	Days      int  // of the row, without missed days
	Flawless  int  // number of days at the end of the row with only right answers
	HasFreeze bool // at most one freeze, earned on each seventh day of the row
}

// Streak returns the streak on a day.
func (s State) Streak(today int) (row Streak) {
	last := 0 // last day of the row, 0 before the first
	for i := 0; i < len(s.Answers); {
		day, answered, right := s.Answers[i].Day, 0, 0
		for ; i < len(s.Answers) && s.Answers[i].Day == day; i++ {
			answered++
			if s.Answers[i].Right {
				right++
			}
		}
		if answered < puzzle.PerDay || day > today {
			continue
		}
		row.miss(day - last - 1)
		row.Days++
		row.Flawless++
		if right < puzzle.PerDay {
			row.Flawless = 0
		}
		row.HasFreeze = row.HasFreeze || row.Days%freezeEvery == 0
		last = day
	}
	row.miss(today - last - 1)
	return row
}

// miss ends the row after missed days. If only one day was missed, a freeze keeps the row.
func (s *Streak) miss(days int) {
	switch {
	case days <= 0:
	case days == 1 && s.HasFreeze:
		s.HasFreeze = false
	default:
		*s = Streak{}
	}
}
